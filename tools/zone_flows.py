"""Record how pieces flow through zones: `python tools/zone_flows.py` writes tests/program/zone_flows.txt anew.

A line for each zone of every shipped edition and of the games in the tests, with the largest number of seats. A test
compares them. After a change that is meant, record them again and hold each changed line against the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rulewright.game import library
from rulewright.program.zone_flow import FlowAnalysis, ZoneFlow

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "tests" / "program" / "zone_flows.txt"


def editions() -> list[Path]:
    """List the files of all editions with a record."""
    files = [*(ROOT / "editions").glob("*/*.yaml"), *(ROOT / "tests" / "games").glob("*.yaml")]
    return sorted(file for file in files if not file.name.endswith(".examples.yaml"))


def record(file: Path) -> Iterator[str]:
    """Yield the lines of one edition: its name, then its zones."""
    rules = library.load(str(file))
    analysis = FlowAnalysis(rules.machine(rules.edition.seat_counts()[-1]).program)
    yield f"{file.parent.name}/{file.stem}"
    for name, flow in analysis.flows.items():
        zone = rules.edition.zones[name]
        yield f"  {name} ({zone.of or 'table'}, {zone.seen_by}): {described(flow) or 'nothing'}"


def described(flow: ZoneFlow) -> str:
    """Return a flow in words."""
    parts = [
        f"passes to {', '.join(flow.passes)}{' and back' * flow.returns}" * bool(flow.passes),
        "chosen from" * flow.is_chosen_from,
        f"filled from {', '.join(flow.filled)}" * bool(flow.filled),
        f"fed by {', '.join(flow.fed)}" * bool(flow.fed),
        f"refilled from {flow.refills}" * bool(flow.refills),
    ]
    return "; ".join(filter(None, parts))


if __name__ == "__main__":
    RECORD.write_text("".join(f"{line}\n" for file in editions() for line in record(file)), "utf-8")
