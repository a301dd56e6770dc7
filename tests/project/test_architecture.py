"""The house: imports point down, no game's word stands in the package, and nothing is declared twice or in vain."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import project_folders
from documents import blocks
from rulewright.base import resources
from rulewright.compiler import registry
from rulewright.game import library
from rulewright.program import rollout_pipeline
from rulewright.program.blocks import flatten
from rulewright.program.instructions import OPERANDS
from rulewright.runtime import python_source
from rulewright.syntax.statement_nodes import Statement
from rulewright.syntax.tree import CLASSES

PACKAGE = Path(library.__file__).parents[1]
ROOT = "rulewright"


# ── floors ──

# From the ground up: a room imports only from rooms on floors below its own, and so do the modules within a room.
PACKAGE_FLOORS = """
    __init__ base
    program
    syntax
    i18n
    model
    compiler runtime
    game
    authoring players
    editing publish simulation
    server terminal
    rl workbench
    api
    commands
    cli
    __main__
"""

ROOMS = {
    "authoring": """
        __init__ case_failures
        program_listing rule_index scenarios sentence_trace edition_texts
        differences explanations lint new_variant
        edition_check zone_storage
    """,
    "authoring.differences": """
        localized_edition technical
        comparison
        changes components course
        __init__
    """,
    "authoring.lint": """
        context messages
        conditions hardcoded_numbers lookalikes loops pictures style texts unexplained_rules unused without_effect
        __init__
    """,
    "authoring.scenarios": """
        case_game messages zone_expectations
        checks drawings game_facts
        names written_positions
        decision_expectations given_position
        expectations
        cases
        __init__ examples
    """,
    "base": """
        __init__ files similar_names processes records resources rule_keys
        template_edits
        wording diagnostic_rules
        diagnostics
        cache diagnostics_output
    """,
    "commands": """
        __init__ common locales messages parser
        argument_builder
        designer_arguments player_arguments simulation_arguments
        arguments
        analyse authoring books check design editions language_server learn play runner serve simulate train
        data tune
    """,
    "compiler": """
        messages
        arguments dead_iterations layout operation_names piece_types typed_values work_budget
        scopes type_descriptions
        declared_names edition_analysis emitter remarks saved_cells
        fractions fusion output
        context
        registry senses set_operations
        cell_access texts type_checks weighted_draw zone_access
        attributes local_names parking piece_members stored_lists typed_expressions
        amounts case_values exits position_hash sides
        counters owned_names
        unknown_names
        name_resolution
        arithmetic change_sets sets tracing
        figures logic ordering pure_functions
        group_pruning lookups marked_sets moves scoring step_results
        groups move_witnesses
        control relations set_packing
        boards loops questions simultaneous
        decisions lines projections steps
        choose_group dispatch whole_program
        unreached
        build
        __init__
    """,
    "editing": """
        __init__ case_names cursor_context messages
        catalog_files edits
        fix_registry
        compiler_fixes declaration_fixes hint_fixes lint_fixes phrasing_fixes schema_fixes yaml_fixes
        fixes text_document
        case_files document_symbols verified_fixes
        completion code_lenses navigation
        semantic_tokens hover
        rules_server protocol_kinds
        language_server
    """,
    "game": """
        __init__ draws early_ends library snapshots terms
        messages setup undo
        choices log position ranking reveal_check saved_game
        history rule_texts saved_rules
        decisions pending_decisions
        game
        chance_outcomes picks point_sources
    """,
    "i18n": """
        __init__ bidi locale_formats messages
        grammar po_lines message_patterns
        agreement grammar_files po_files
        catalogs catalog_update
        translation_check phrase_extraction
        catalog_check localizer
        file_errors languages placeholders catalog_editing
    """,
    "model": """
        __init__ editions messages
        declarations
        artwork lost_names
        edition
        constant_evaluation conflicts error_recovery naming statements svg symbols
        idle_options inheritance pictures references
        reader
    """,
    "model.reader": """
        section
        boards course plates
        artwork
        words
        counters
        components
        __init__
    """,
    "players": """
        action_space choice_grouping confusable_names evaluation hidden_access kinds saves
        answer_routes answer_time learned_values observations playouts policy_files random_player seat_changes seating
        answer_trials freedom greedy policies room wagers
        plain_sight tree_search
        answer_outcomes information_search
        search
        answer_values level_player value_training
        analysis
        __init__
        session
        fast_forward
    """,
    "program": """
        __init__ board_coordinates instructions value_types
        state_layout
        form
        blocks coverage traced_program appearance
        zone_flow
        passes
        bids decision_pipeline features rollout_pipeline wagers
    """,
    "program.passes": """
        __init__ block_specialization block_merging simplification register_promotion
        common_prefix loop_invariants common_subexpressions code_sinking loop_unrolling
    """,
    "publish": """
        __init__ board_grid suit_order
        board_places
        board_annotations console faces labels scores templates typography word_properties
        abbreviations analysis_texts log_sections outcome_texts final_result owners rule_lookup zone_contents
        board_sides piece_colours
        board_edges game_record
        drawing
        static_spaces
        printing
        rulebook
        lessons
    """,
    "publish.printing": """
        __init__ typesetting
        cutouts overflow
        cards parts
    """,
    "publish.rulebook": """
        __init__ cross_references model shared_pictures
        markdown menus page_frame pdf piece_pictures pieces player_aid rulings word_tables
        box table_html
        board_drawings example_story html
        positions
        example_relevance passages
        examples options_chapter round_outline setup_pictures
        course_chapters
        rulebook_builder
        changes summary
        book
    """,
    "rl": """
        __init__ checkpoints network rendering
        environment_spec
        chance position
        batch game_tree pettingzoo
        openspiel training
    """,
    "runtime": """
        __init__ messages rng state
        random_answers
        operations read_tracking piece_memory
        python_source
        python_backend
        machine
        chance_enumeration position view
        game_statistics information_state
        native
    """,
    "runtime.native": """
        bit_set_analysis library_object results unchecked_calls vectors visible_candidates webassembly
        assembler engine fallback maps memory
        library_calls statistics_memory
        operands
        bits masks meanings statistics_code
        codegen count_only_zones
        block_code
        emit tree
        information_trees
        executor
        __init__ batches
    """,
    "server": """
        __init__ clock deferred_work garbage_collection limits metrics structured_log tokens
        network prometheus storage
        edition_registry listening_socket
        bots views
        tables
        health_checks web
        application
        server
        workers
    """,
    "server.storage": """
        __init__ database records schema
        change_listener checksum postgresql_connection sqlite_file
        backup postgresql_listener
        postgresql store_reader
        store
        commit_queue open_store postgresql_import retention
    """,
    "server.network": """
        __init__ client_addresses connection_limiter table_routing websocket_connection
        http_connection
    """,
    "server.bots": """
        __init__ cpu_slots fair_queue trained_players
        bot_pool
        bot_driver
    """,
    "server.views": """
        __init__ document memo
        replies
        outcome table_marks
        table_metadata
        explanations laid_pieces merge_patches moves question_view
        seat_view
        history lesson_views view_cache
        analysis_view
    """,
    "server.tables": """
        __init__ attendance chat deadline_timer log_rows refusals
        answer_rows attendance_sync game_clock proposals
        logged_game
        table
        agreement fault_report outcome_preview table_analysis table_registry
        expiry rematch turns
    """,
    "server.web": """
        __init__ books bundles end_texts protocol qr seat_texts table_subscription
        connection edition_index edition_list page_files page_texts security_headers
        client_commands edition_lists script_words
        pages
        client_session
    """,
    "simulation": """
        __init__ markup plan progress sample tally
        chunk_player parquet_files report_names settings statistics
        plots
        chunk_tables insight planning saved_games
        folder
        replay results
        powers results_folder
        choices quantities
        finished_chunks
        cluster workers
        comparison effects report_texts
        choices_section comparison_texts findings introduction
        comparison_summary insight_texts sections summary
        comparison_section
        report
        command
        sources tuning
    """,
    "simulation.tuning": """
        __init__ measures search_space trade_offs
        configurations goals
        pareto_front
        search_strategy
        game_cache
        tuning
        tuning_texts
        tuning_page
    """,
    "syntax": """
        __init__ fast_validation messages sentence_cache source tree
        expression_nodes
        condition_nodes number_nodes set_nodes
        part_nodes statement_nodes
        change_nodes choice_nodes flow_nodes
        nouns section_cache sentence_grammar
        phrasing_hints
        schema sentence_errors yaml_errors
        schema_validation sentences
        names_with_reserved_words yaml_reader
        formatter
    """,
    "syntax.formatter": """
        concrete_syntax
        arrangement writer
        __init__
    """,
    "terminal": """
        __init__ board_choices board_legend canvas edition_reports grid pace
        lesson_progress log_follower map prompt seat_charts word_charts
        board dialog lookup
        rules table
        help_text menu screen
        question_commands
        lesson play_loop
        lesson_menu
    """,
    "workbench": """
        __init__ core
        access new_game book statistics play
        cases share
        key_guard steps
        page_handlers
        application
        launcher
    """,
    "workbench.new_game": """
        __init__ copied_catalogs portable_names game_templates dialog_texts
        game_maker game_archive
        new_pane
    """,
    "workbench.book": """
        __init__ book_process source_map
        book_requests
        book_pane changes_pane cards_pane texts_pane
    """,
    "workbench.cases": """
        __init__ case_texts
        case_runner
        case_builder case_watch
        cases_pane
    """,
    "workbench.core": """
        __init__ lsp_bridge idle_shutdown shared_text exception_logging page_texts windows workspace
        json_handlers text_merge version_history
        compiled_editions
        bench
        files_pane window_connection
    """,
    "workbench.statistics": """
        __init__ number_values table_sentences sample_requests
        game_sample
        dashboard
        goal_search value_sweep
        game_player
        game_process
        statistics_watch
        statistics_pane
    """,
    "workbench.play": """
        __init__ game_start answer_effects game_views
        play_tree
        saved_lines divergence
        line_store
        line_games play_pane
    """,
    "workbench.share": """
        __init__ share_store
        friends_games comment_api
        friends_server
        share_pane
    """,
    "workbench.steps": """
        __init__ position_draft trace_view
        setup_pane steps_pane
    """,
}

# Who may know of libraries beyond Python's own; all others have none.
LIBRARIES = {
    "yaml": {"syntax"},
    "jsonschema": {"syntax"},
    "babel": {"i18n"},
    "numpy": {"players", "simulation", "rl", "workbench"},
    "gymnasium": {"rl"},
    "pettingzoo": {"rl"},
    "pyspiel": {"rl"},
    "PIL": {"rl"},
    "pyarrow": {"simulation"},
    "tqdm": {"simulation"},
    "optuna": {"simulation"},
    "distributed": {"simulation"},
    "lark": {"syntax"},
    "typst": {"publish"},
    "segno": {"server"},
    "starlette": {"server", "workbench"},
    "h11": {"server"},
    "prometheus_client": {"server"},
    "uvicorn": {"server", "workbench"},
}


@cache
def modules() -> dict[str, ast.Module]:
    """Dotted name below the package, the package itself being '__init__' -> its tree."""
    results = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        results[".".join(parts)] = ast.parse(path.read_text(encoding="utf-8"))
    return results


@cache
def imports(module: str) -> frozenset[str]:
    """The modules of the package that a module imports anywhere in its code; other libraries by their first name."""
    results: set[str] = set()
    for node in ast.walk(modules()[module]):
        if isinstance(node, ast.Import):
            results |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, f"{module} imports relatively"
            results |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(_module(name) for name in results)


def _module(name: str) -> str:
    """The module that an imported dotted name is, or is a part of."""
    if name.partition(".")[0] != ROOT:
        return name.partition(".")[0]
    path = name.split(".")[1:]
    while path:
        for candidate in (".".join(path), ".".join([*path, "__init__"])):
            if candidate in modules():
                return candidate
        path.pop()
    return "__init__"


def own_imports(module: str) -> set[str]:
    return {name for name in imports(module) if name in modules()}


@cache
def floors(room: str) -> dict[str, int]:
    """Return the floor of each module of a room ('': outside of rooms)."""
    rows = [row.split() for row in (ROOMS[room] if room else PACKAGE_FLOORS).split("\n") if row.strip()]
    assert sum(map(len, rows)) == len({name for row in rows for name in row}), "somebody lives on two floors"
    return {name: number for number, row in enumerate(rows) for name in row}


def parted(module: str, other: str) -> tuple[str, str, str]:
    """The smallest room that two modules share, and what they, or the rooms that they lie in, are called there."""
    one, two = module.split("."), other.split(".")
    index = next(index for index, names in enumerate(zip(one, two, strict=False)) if names[0] != names[1])
    return ".".join(one[:index]), one[index], two[index]


def modules_below(module: str) -> set[str]:
    """All that a module imports, and what that imports."""
    results: set[str] = set()
    worklist = {module}
    while worklist:
        new = own_imports(worklist.pop()) - results
        results |= new
        worklist |= new
    return results


def test_everything_has_its_floor() -> None:
    existing: dict[str, set[str]] = {"": set()}
    for module in modules():
        *rooms, name = module.split(".")
        for depth, room in enumerate(rooms):
            existing.setdefault(".".join(rooms[:depth]), set()).add(room)
        existing.setdefault(".".join(rooms), set()).add(name)
    assert {room: set(floors(room)) for room in existing} == existing
    assert ROOMS.keys() == existing.keys() - {""}


def test_imports_point_down() -> None:
    upward = []
    for module in modules():
        for other in own_imports(module) - {module}:
            room, own, expected = parted(module, other)
            if not floors(room)[expected] < floors(room)[own]:
                upward.append(f"{module} imports {other}")
    assert not upward


def test_rooms_import_few_others() -> None:
    pairs = [(one.partition(".")[0], other.partition(".")[0]) for one in modules() for other in own_imports(one)]
    assert len({(room, other) for room, other in pairs if room != other}) <= 132


def test_little_lies_outside_of_rooms() -> None:
    assert {name for name in modules() if "." not in name} == {"__init__", "__main__", "api", "cli"}


@pytest.mark.parametrize("room", sorted(room for room in ROOMS if "." not in room))
def test_every_room_documents_its_limits(room: str) -> None:
    assert says(room).count("\n\n")  # what it knows, and what it does not


def test_a_class_has_a_name_of_its_own() -> None:
    """No two rooms have a class, or another type, of one name; the nodes of a syntax tree are called as their rules."""
    homes: dict[str, set[str]] = {}
    for module, tree in (
        (module, tree)
        for module, tree in modules().items()
        if module != "syntax.tree" and not module.endswith("_nodes")
    ):
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, set()).add(module.partition(".")[0])
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                if name.lstrip("_")[:1].isupper() and not name.isupper():
                    homes.setdefault(name, set()).add(module.partition(".")[0])
    assert {name: rooms for name, rooms in homes.items() if len(rooms) > 1} == {}


def says(room: str) -> str:
    return ast.get_docstring(modules()[f"{room}.__init__"]) or ""


def draw_map() -> str:
    """The rooms from above, floor by floor, each with the first sentence of what it says of itself."""
    rows = [[name for name in row.split() if name in ROOMS] for row in reversed(PACKAGE_FLOORS.splitlines())]
    return "\n".join("".join(f"{name:<12}{says(name).splitlines()[0]}\n" for name in row) for row in rows if row)


def test_the_map_in_contributing_is_current() -> None:
    """Copy this drawing into CONTRIBUTING after a change."""
    [block] = [block for block in blocks(project_folders.ROOT / "CONTRIBUTING.md") if block.words == ("text", "map")]
    assert block.text == draw_map()


def test_compiler_and_machine_meet_in_the_program_alone() -> None:
    compiling = {name for name in modules() if name.startswith("compiler.")}
    names = ("machine", "python_backend", "python_source", "operations", "rng", "state")
    running = {f"runtime.{name}" for name in names}
    reading = {name for name in modules() if name.startswith(("syntax.", "model."))} - {"syntax.__init__"}
    for module in running:
        assert not modules_below(module) & (compiling | reading), module
    for module in compiling:
        assert not modules_below(module) & running, module
    both = {name for name in modules() if own_imports(name) & compiling and own_imports(name) & running}
    assert both <= {"game.library"}


def test_other_libraries_stay_where_they_are_needed() -> None:
    for module in modules():
        for name in imports(module) & LIBRARIES.keys():
            assert module.partition(".")[0] in LIBRARIES[name], f"{module} imports {name}"


# ── words ──

# Words of editions that are anybody's: of English, of Python and its libraries, of every game on a table.
ENGLISH = """a act always an asking become better big called can checker close closing compare complete costs count
    counted draw eight equal even extra face final find form four free full goes happen have held keeps large largest
    lay level lost new nine on open opening order over own per placed purple ready remaining removed resolve room same
    second settle settled single small source spare starting two usable used usual way"""
PYTHON = """action assign box break clear collection display event expansion finish front hex home leads liar mark
    minimum offer pass pick prepare remove seed token"""
GAMES = """bid chart deal dealt deck dice discard gain hand lose owner pay play played price rank reveal score starter
    prize tally tie tile track turn"""

# What has a name of its own in an edition, as a path of keys with * for every one of them; and every 'noun'.
NAME_PATHS = """
    words/* words/*/* words/*/*/* pieces/* pieces/*/has/* zones/* values/*/* terms/*/* counters/*/* setup/steps/*
    phases/* phases/*/steps/* powers/* roles/* options/* options/*/choices/* scoring/*
    measures/*"""


@cache
def single_words(*texts: str) -> dict[str, str]:
    """The words of texts or identifiers, without capitals and a plural's s -> as they stand there."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", " ".join(texts))
    return {re.sub(r"(?<=\w\w\w)(?<!s)s$", "", w.lower()): w for w in re.findall(r"[^\W\d_]+", spaced)}


def keys_at(node: Any, path: list[str]) -> Iterator[str]:
    if not isinstance(node, dict):
        return
    if path == ["*"]:
        yield from map(str, node)
    else:
        for key in node if path[0] == "*" else [path[0]]:
            yield from keys_at(node.get(key), path[1:])


def under(node: Any, expected: str) -> Iterator[Any]:
    """Yield the values of a key, wherever it occurs."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from [value] if key == expected else under(value, expected)
    elif isinstance(node, list):
        for item in node:
            yield from under(item, expected)


@cache
def vocabulary() -> dict[str, str]:
    """word -> the edition it comes from. Of games of a series, which everybody knows, only their titles are their own:
    suits, dice and squares are anybody's."""
    results: dict[str, str] = {}
    for edition, path in library.available().items():
        tree = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
        if "series" in tree:
            results |= dict.fromkeys(single_words(tree["title"]), edition)
            continue
        names = [name for keys in NAME_PATHS.split() for name in keys_at(tree, keys.split("/"))]
        things = {
            key: section for key, section in tree.items() if key != "values"
        }  # what figures are called is a phrase
        names += [re.sub(r"\{.*?\}", "", str(noun)) for noun in under(things, "noun")]
        results |= dict.fromkeys(single_words(*names), edition)
    return results


@cache
def language() -> set[str]:
    """The words that the rule language itself is made of."""
    grammar = re.sub(r"(?m)^//.*$", "", resources.read_text("spec", "sentences.lark"))
    schema = json.loads(resources.read_text("spec", "edition.schema.json"))
    keys = [key for properties in under(schema["properties"], "properties") for key in properties]
    keys += [key for properties in under(schema["$defs"], "properties") for key in properties]
    phrases = ["".join(found) for found in re.findall(r""""([^"]*)"|'([^'"]*)'""", grammar)]
    return set(single_words(*phrases, *schema["properties"], *keys))


TEXTS = ("name", "id", "attr", "arg", "asname", "module", "value")
"""Fields of nodes that hold a name or a string."""


def words_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of every name and every string."""
    fields: dict[type[ast.AST], list[str]] = {}
    for node in ast.walk(tree):
        kind = type(node)
        if kind not in fields:
            fields[kind] = [field for field in TEXTS if field in kind._fields]
        for field in fields[kind]:
            if isinstance(text := getattr(node, field), str):
                yield getattr(node, "lineno", 0), text


def test_package_knows_no_game() -> None:
    games_own = vocabulary().keys() - language() - single_words(ENGLISH, PYTHON, GAMES).keys()
    assert {"squirrel", "talisman", "meerkat"} <= games_own, "the vocabulary is not collected"
    lines = [
        f"{module}:{line}: '{written}' is a word of {vocabulary()[word]}"
        for module, tree in modules().items()
        for line, text in words_of(tree)
        for word, written in single_words(text).items()
        if word in games_own
    ]
    advice = "Choose another name, or, if it is anybody's word, add it to ENGLISH, PYTHON or GAMES above."
    assert not lines, "\n".join([*sorted(lines), advice])


def test_the_list_of_common_words_is_minimal() -> None:
    """A word that no edition uses need not be excused."""
    assert single_words(ENGLISH, PYTHON, GAMES).keys() <= vocabulary().keys()


# ── sentences and instructions ──


def rules_of_the_grammar() -> set[str]:
    """The names of all alternatives in spec/sentences.lark, and of rules whose alternatives have none."""
    grammar = re.sub(r"(?m)^//.*$", "", resources.read_text("spec", "sentences.lark"))
    return set(re.findall(r"-> (\w+)", grammar)) | {"path", "several", "keys", "hook", "span"}


def test_every_rule_of_the_grammar_has_its_class() -> None:
    assert rules_of_the_grammar() == CLASSES.keys() - {"name"}


def test_a_class_that_nothing_compiles_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CLASSES, "wave", type("Wave", (Statement,), {"rule": "wave"}))
    with pytest.raises(NotImplementedError, match="Wave"):
        registry.require_all()


def test_every_instruction_has_its_line() -> None:
    assert python_source.LINES.keys() == OPERANDS.keys()


REST = """
rulewright: 1
title: What the shipped editions do not need
players: 2
words:
  shore: {north: {}, south: {}}
boards:
  lake: {of: stone, spaces: {flint: {shore: north, next to: marl}, marl: {shore: south}}}
pieces:
  chip: {has: {weight: 1 to 3}, copies: 4, starts in: bag, noun: "{weight}"}
  note: {copies: 2, starts in: bag}
  coin: {has: {side: 1 to 2}, changing: side, starts in: heap, noun: "coin {side}"}
zones:
  bag: {seen by: nobody, pile: yes, refills from: heap}
  heap: {seen by: all}
  purse: {of: seat, seen by: owner, at most: 3, counting: chip}
  heaped: {of: stone, seen by: all}
counters:
  game: {sum: 0}
terms:
  game: {twins: {for: {those: chips}, is: number of those is 2 and total weight of those is 4}}
phases:
  play:
    do:
      - each seat by random: move top 1 of bag to purse
      - set sum to sum / 2 rounded up + sum / 3 rounded down
      - set sum to lowest weight among chips in heap
      - add longest run of weight among chips in heap to sum
      - move chips in heap plus heap to bag
      - move last 1 of bag to heap
      - shuffle bag
      - show top 1 of bag to seats
      - roll coins
      - let wet be neighbours of flint
      - if wet connected to marl is empty: end game
      - let near be stones in shores of stones of chips in north
      - if shores of near are empty: end game
      - if (chips in heap) outside twins is empty: end game
      - if bag is empty: end game
"""


def test_every_instruction_is_used() -> None:
    used: set[str] = set()
    small_first = sorted(library.available(), key=lambda name: library.available()[name].stat().st_size)
    for rules in (library.from_text(REST), *map(library.load, small_first)):
        if used == OPERANDS.keys():
            return
        result = rules.machine(rules.edition.seats[0]).program
        played = [
            instruction
            for body in rollout_pipeline.whole_game_blocks(result, 0).values()
            for instruction in flatten(body)
        ]
        for code in (result.code, played, *(function.code for function in result.functions)):
            used |= {str(instruction[0]) for instruction in code}
    assert not used ^ OPERANDS.keys()


@pytest.mark.rotating(3)
@pytest.mark.parametrize("name", library.available())
def test_programs_are_well_formed(name: str) -> None:
    """Operands as many as the table of instructions says, and all of them numbers of something that is there."""
    rules = library.load(name)
    for seats in rules.edition.seat_counts():
        result = rules.machine(seats).program
        blocks = {instruction[1] for instruction in result.code if instruction[0] == "block"}
        assert {result.start, *(block for _, block in result.phases), *(site.resume for site in result.sites)} <= blocks
        for code in (result.code, *(function.code for function in result.functions)):
            for operation, *operands in code:
                kinds = OPERANDS[str(operation)]
                fixed = kinds.rstrip("+")
                assert len(operands) >= len(fixed) if kinds.endswith("+") else len(operands) == len(fixed)
                for kind, operand in zip(fixed, operands, strict=False):
                    assert type(operand) is int
                    assert kind != "L" or operand in blocks
                    assert kind != "T" or 0 <= operand < len(result.tables)
                    assert kind != "P" or 0 <= operand < len(result.places)
