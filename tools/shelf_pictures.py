"""Pictures of the shelf's games at the table, and what a change has made of them. Needs what `screenshots.py` needs.

    python tools/shelf_pictures.py FOLDER [GAME…]
    python tools/shelf_pictures.py FOLDER [GAME…] --against EARLIER

The first takes each game, such as `hearts` or `wild-cards/2022`, at its first question, at one in the middle and at the
end, as on a phone, a tablet and a desktop: FOLDER/GAME-MOMENT-WIDTH.png, and an index.html to look through.
GAME-MOMENT.txt has what a screen reader is told. The second does so, too, and compares the pictures with those of an
earlier FOLDER: FOLDER/differences has old and new side by side with what has changed marked, and an index.html with the
largest changes first. A page that has not changed gives the same pictures.

Games are played by chance, but with the same cards and the same answers each time.
"""

from __future__ import annotations

import argparse
import html
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw
from playwright.sync_api import Browser, Page, WebSocket

from rulewright.model.editions import available
from rulewright.server.limits import Limits
from screenshots import Home, chromium, hosted

NAMES = ("Ada", "Benjamin", "Charlotte", "Dan")
SIZES = ((390, 844), (1024, 768), (1920, 1080))
PHONE = 640
"""Width of a screen, in pixels, below which it is touched."""
MOST_ANSWERS = 5000
MOMENTS = ("start", "middle", "end")
TOLERANCE = 8
"""Largest difference of two colours, of 255, that counts as none."""
BLOCK = 16
"""Width of the squares that are marked, in pixels."""
PATIENCE = 60_000


# ── taking ──


@dataclass(frozen=True)
class Look:
    """Settings of pictures."""

    sizes: Sequence[tuple[int, int]] = SIZES
    dark: bool = False
    language: str = "en"


def take(home: Home, browser: Browser, game: str, folder: Path, look: Look) -> Iterator[Path]:
    """Take all pictures of a game; yield their files."""
    for moment, link in _links(home, game):
        for touched in (True, False):
            sizes = [size for size in look.sizes if (size[0] < PHONE) == touched]
            if sizes:
                yield from _at_sizes(browser, link, folder / f"{_short(game)}-{moment}", sizes, look)


def _links(home: Home, game: str) -> Iterator[tuple[str, str]]:
    """Yield each moment with the link of a seat that is asked then, or of the first one at the end."""
    rules = next(offer.rules for offer in home.offers.all().values() if offer.rules.name == game)
    low, high = rules.edition.seats
    seats = [{"player": "here", "name": name} for name in NAMES[: min(high, max(low, len(NAMES)))]]
    length = 0
    results = {}
    for moment in reversed(MOMENTS):
        links = home.begin(game, *seats)
        most = {"start": 0, "middle": length // 2, "end": MOST_ANSWERS}[moment]
        state = home.play_on(links["host"], most)
        entrance = home.store.grant(links["host"])
        assert entrance is not None
        length = length or len(home.store.answers(entrance.game))
        seat = 0 if state.over else state.pending.ids[0][0]
        results[moment] = home.link(links["seats"][seat])
    yield from ((moment, results[moment]) for moment in MOMENTS)


def _at_sizes(browser: Browser, link: str, stem: Path, sizes: Iterable[tuple[int, int]], look: Look) -> Iterator[Path]:
    touched = min(width for width, _ in sizes) < PHONE
    context = browser.new_context(
        locale=look.language,
        reduced_motion="reduce",
        color_scheme="dark" if look.dark else "light",
        has_touch=touched,
        is_mobile=touched,
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.clock.set_fixed_time(0)
    answered = _previews(page)
    page.goto(link)
    page.locator(".asked h2, .asked .winner").first.wait_for()
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        path = stem.with_name(f"{stem.name}-{width}.png")
        path.write_bytes(_settled(page, answered))
        yield path
    if not touched:
        stem.with_name(f"{stem.name}.txt").write_text(page.locator("body").aria_snapshot(), encoding="utf-8")
    context.close()


def _previews(page: Page) -> Callable[[], bool]:
    """Return a function that tells whether all that the page names to know of answers has come."""
    open_questions = [0]

    def count(frame: str | bytes, mark: str, step: int) -> None:
        if isinstance(frame, str) and f'"type":"{mark}"' in frame.replace(" ", ""):
            open_questions[0] += step

    def attend(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: count(frame, "try", 1))
        socket.on("framereceived", lambda frame: count(frame, "tried", -1))

    page.on("websocket", attend)
    return lambda: open_questions[0] <= 0


def _settled(page: Page, is_answered: Callable[[], bool]) -> bytes:
    """Return a picture of the page once nothing changes on it any more."""
    page.wait_for_load_state("networkidle")
    page.wait_for_function("() => [...document.images].every((one) => one.complete && one.hasAttribute('src'))")
    last = b""
    for _ in range(PATIENCE // 200):
        picture = page.screenshot(animations="disabled")
        if picture == last and is_answered():
            break
        last = picture
        page.wait_for_timeout(200)
    return last


def _short(game: str) -> str:
    """Return a game's name as the beginning of a file's."""
    return game.removeprefix("classics/").replace("/", "-")


# ── comparing ──


@dataclass(frozen=True)
class Difference:
    """Change of a picture. changed: share of its pixels; 1 where a picture is missing or has another size."""

    name: str
    changed: float


def compare(old: Path, new: Path, into: Path) -> list[Difference]:
    """Compare pictures of two folders; write what differs, side by side, into a third. Return the largest first."""
    into.mkdir(parents=True, exist_ok=True)
    for stale in into.glob("*.png"):
        stale.unlink()
    names = sorted({path.name for folder in (old, new) for path in folder.glob("*.png")})
    results = [_compared(old / name, new / name, into / name) for name in names]
    return sorted((one for one in results if one.changed), key=lambda one: (-one.changed, one.name))


def _compared(old: Path, new: Path, into: Path) -> Difference:
    """Compare two pictures, and write them side by side into a file if they differ; all differs where one is missing or
    has another size."""
    if not (old.exists() and new.exists()):
        return Difference(new.name, 1.0)
    before, after = (Image.open(path).convert("RGB") for path in (old, new))
    if before.size != after.size:
        _side_by_side(before, after).save(into)
        return Difference(new.name, 1.0)
    channels = ImageChops.difference(before, after).split()
    mask = ImageChops.lighter(ImageChops.lighter(channels[0], channels[1]), channels[2])
    mask = mask.point(lambda value: 255 if value > TOLERANCE else 0)
    count = mask.histogram()[255]
    if count:
        _side_by_side(before, _marked(after, mask)).save(into)
    return Difference(new.name, count / (before.width * before.height))


def _marked(picture: Image.Image, mask: Image.Image) -> Image.Image:
    """Return a picture with squares around what the mask has."""
    result = picture.copy()
    draw = ImageDraw.Draw(result, "RGBA")
    blocks = mask.reduce(BLOCK).point(lambda value: 255 if value else 0)
    changed = blocks.load()
    assert changed is not None
    for column in range(blocks.width):
        for line in range(blocks.height):
            if changed[column, line]:
                corner = (column * BLOCK, line * BLOCK)
                draw.rectangle((corner, (corner[0] + BLOCK, corner[1] + BLOCK)), fill=(255, 0, 200, 70))
    return result


def _side_by_side(left: Image.Image, right: Image.Image) -> Image.Image:
    result = Image.new("RGB", (left.width + BLOCK + right.width, max(left.height, right.height)), "white")
    result.paste(left, (0, 0))
    result.paste(right, (left.width + BLOCK, 0))
    return result


# ── looking through ──

PAGE = """<!DOCTYPE html>
<meta charset="utf-8"><title>{title}</title>
<style>body {{ font: 16px sans-serif; margin: 1rem; }} figure {{ display: inline-block; margin: 0 1rem 1rem 0; }}
img {{ height: {high}px; border: 1px solid #888; }}</style>
<h1>{title}</h1>
{figures}
"""
FIGURE = '<figure><figcaption>{caption}</figcaption><a href="{name}"><img src="{name}" loading="lazy"></a></figure>'


def write_index(folder: Path, title: str, pictures: Iterable[tuple[str, str]], high: int) -> None:
    """Write a page with pictures of its folder, each below a caption."""
    figures = "\n".join(
        FIGURE.format(caption=html.escape(caption), name=html.escape(name)) for name, caption in pictures
    )
    page = PAGE.format(title=html.escape(title), high=high, figures=figures)
    (folder / "index.html").write_text(page, encoding="utf-8")


def games(names: Sequence[str]) -> list[str]:
    """Return the names of the editions that are meant: all that are shipped where none is named. Raises SystemExit."""
    shelf = list(available())
    unknown = [name for name in names if name not in (*shelf, *map(_short, shelf))]
    if unknown:
        raise SystemExit(f"There is no game {', '.join(unknown)}.")
    return [name for name in shelf if not names or name in names or _short(name) in names]


def size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    return int(width), int(height)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--against", type=Path, metavar="EARLIER", help="a folder of pictures taken before")
    parser.add_argument("--size", type=size, action="append", metavar="WIDTHxHEIGHT", help="instead of the three")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--lang", default="en")
    parser.add_argument("--only-compare", action="store_true", help="compare the pictures that FOLDER has already")
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    selected = games(arguments.games)
    if not arguments.only_compare:
        look = Look(arguments.size or SIZES, arguments.dark, arguments.lang)
        limits = Limits(hold=0, begun=10_000)
        with tempfile.TemporaryDirectory() as tables, hosted(
            Path(tables), selected, limits
        ) as home, chromium() as browser:
            for game in selected:
                for path in take(home, browser, game, folder, look):
                    print(path, flush=True)
    write_index(folder, "Tables", [(path.name, path.stem) for path in sorted(folder.glob("*.png"))], 400)
    if arguments.against:
        into = folder / "differences"
        differences = compare(arguments.against, folder, into)
        write_index(into, "Differences", [(one.name, f"{one.name}: {one.changed:.2%}") for one in differences], 500)
        for one in differences:
            print(f"{one.changed:7.2%}  {one.name}")
        print(f"{len(differences)} pictures differ: {into / 'index.html'}")


if __name__ == "__main__":
    main()
