"""Pane 'Share': a game as a file, tables for friends, and lines of play for comments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import quote

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulewright.base.diagnostics import visible
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.players.seating import OPPONENT
from rulewright.server.edition_registry import PlayableEdition
from rulewright.server.web import qr
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import file, json_handler, not_understood, read
from rulewright.workbench.core.workspace import no_edition
from rulewright.workbench.new_game import game_archive
from rulewright.workbench.play.line_store import lines_of
from rulewright.workbench.play.play_tree import LONGEST_TITLE
from rulewright.workbench.share.friends_games import FriendsGames
from rulewright.workbench.share.friends_server import FriendsServer
from rulewright.workbench.share.share_store import ShareStore, SharingError, clean_lines

FOLDER = "tables"
"""Subfolder of the workbench's own data with tables and shared lines."""
MOST_SEATS = 12

WORDS: Mapping[str, Phrase] = {
    "share tab": phrase("design", "Share"),
    "share file": phrase("design", "As one file"),
    "share file told": phrase(
        "design",
        "It holds the game, its pictures, examples and translations. Whoever gets it opens it with “Make a new game”.",
    ),
    "share save": phrase("design", "Save the file"),
    "share friends": phrase("design", "Play with friends"),
    "share friends told": phrase(
        "design", "You play this very version. Later changes do not disturb a table that has begun."
    ),
    "share who": phrase("design", "Who can come?"),
    "share here": phrase("design", "Only this computer"),
    "share network": phrase("design", "Everybody in this network, if they have the link"),
    "share network told": phrase(
        "design",
        "Other devices then reach the tables and what you show for remarks. They never reach the workbench itself.",
    ),
    "share your name": phrase("design", "Your name"),
    "share friends count": phrase("design", "Friends"),
    "share computers count": phrase("design", "Players that the computer plays"),
    "share open": phrase("design", "Open a table"),
    "share table": phrase("design", "The table is open."),
    "share seat": phrase("design", "Open my seat"),
    "share invite": phrase("design", "For your friends"),
    "share watch": phrase("design", "To look on"),
    "share closed": phrase("design", "Nobody can come in at the moment."),
    "share open here": phrase("design", "Tables are open at {address}, for this computer."),
    "share open network": phrase("design", "Tables are open at {address}, for this network."),
    "share end": phrase("design", "Close the tables"),
    "share end told": phrase("design", "Games that are going on are kept. They go on when you open tables again."),
    "share over": phrase("design", "Games that are over"),
    "share over told": phrase("design", "Look at one under Play, go to any moment, and make cases of what is right."),
    "share look": phrase("design", "Look at it"),
    "share remarks": phrase("design", "Ask for remarks"),
    "share remarks told": phrase(
        "design",
        "Whoever has the link goes through the game that you see under Play, and can say something of any moment. "
        "They can change nothing.",
    ),
    "share line title": phrase("design", "What do you want to know? They read it above the game."),
    "share everything": phrase("design", "Show everything, also what players hide from each other"),
    "share ask": phrase("design", "Make a link"),
    "share no line": phrase("design", "Play something first, under Play."),
    "share line": phrase("design", "Link for remarks"),
    "share line untitled": phrase("design", "A game without a title"),
    "share stop": phrase("design", "Stop showing it"),
    "share no remarks": phrase("design", "Nobody has said anything yet."),
    "share anonymous": phrase("design", "Somebody"),
    "share moment": phrase("design", "Moment {number}"),
    "share done": phrase("design", "Delete the remark"),
    "share mistakes": phrase("design", "The file has mistakes. What you share is the last version without any."),
}

_Short = Annotated[str, Meta(max_length=200)]
_Count = Annotated[int, Meta(ge=0, le=MOST_SEATS)]


class _StartFields(Struct, frozen=True, forbid_unknown_fields=True):
    everywhere: bool


class _TableFields(Struct, frozen=True, forbid_unknown_fields=True):
    everywhere: bool
    name: _Short
    friends: _Count
    computers: _Count


class _LineFields(Struct, frozen=True, forbid_unknown_fields=True):
    title: _Short
    everything: bool
    everywhere: bool


class _NumberField(Struct, frozen=True, forbid_unknown_fields=True):
    id: int


def routes(bench: Bench) -> list[Route]:
    folder = bench.folder.own / FOLDER
    stores: list[tuple[ShareStore, FriendsGames]] = []
    friends = FriendsServer(folder, lambda: bench.broadcast({"type": "remarked"}))
    bench.on_close(friends.stop)

    def games() -> ShareStore:
        """Return the store, made on first use."""
        if not stores:
            folder.mkdir(mode=0o700, exist_ok=True)
            shared = ShareStore(folder)
            stores.append((shared, FriendsGames(folder, shared)))
        return stores[0][0]

    def over() -> FriendsGames:
        games()
        return stores[0][1]

    def offer(request: Request) -> PlayableEdition:
        offer_now = bench.compiled(file(request)).offer
        if offer_now is None:
            raise no_edition(file(request))
        return offer_now

    def now(request: Request, _: Any) -> object:
        """Send the server's address, shared lines and comments."""
        name = request.query_params.get("file", "")
        lines, remarks = (games().lines(), games().comments()) if folder.is_dir() else ([], [])
        return {
            "address": friends.address,
            "everywhere": friends.everywhere,
            "over": over().list_games(name) if folder.is_dir() and name else [],
            "lines": [
                {
                    "id": line.id,
                    "title": line.title,
                    "file": line.file,
                    "node": line.node,
                    "everything": line.everything,
                    "link": f"{friends.address}remarks#{games().token(line.id)}" if friends.address else "",
                    "remarks": [
                        {
                            "id": one.id,
                            "step": one.step,
                            "answers": one.answers,
                            "name": one.name,
                            "text": one.text,
                            "at": one.at,
                        }
                        for one in remarks
                        if one.line == line.id
                    ],
                }
                for line in lines
            ],
        }

    def parcel(request: Request, _: Any) -> object:
        """Send the game as a file to save."""
        name = file(request)
        bench.compiled(name)  # waits until typed text is on disk
        content = game_archive.pack(bench.folder.file(name))
        file_name = f"{name.rpartition('/')[2].rpartition('.')[0]}{game_archive.SUFFIX}"
        headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(file_name)}"}
        return Response(content, media_type="application/zip", headers=headers)

    def table(request: Request, body: Any) -> object:
        fields = read(_TableFields, body)
        if not fields.name.strip():
            raise SharingError(phrase("design", "Say what you are called at the table."))
        digest = games().put_edition(offer(request))
        friends.start(fields.everywhere)
        links = friends.table(digest, fields.name, fields.friends, fields.computers, OPPONENT)
        return {"mine": links.mine, "invite": links.invite, "watch": links.watch}

    def begun(request: Request, body: Any) -> object:
        friends.start(read(_StartFields, body).everywhere)
        return {}

    def ended(request: Request, _: Any) -> object:
        friends.stop()
        return {}

    def taken(request: Request, body: Any) -> object:
        """Add a finished game as a line of play."""
        with lines_of(bench).tree(file(request)) as tree:
            return {"node": over().import_game(read(_NumberField, body).id, tree).number}

    def line_shown(request: Request, body: Any) -> object:
        """Share the designer's current line, to its end."""
        fields, shared_offer = read(_LineFields, body), offer(request)
        with lines_of(bench).tree(file(request)) as tree:
            if tree.current is None or (end := tree.reach((tree.current.onward() or [tree.current])[-1])) is None:
                raise SharingError(WORDS["share no line"])
            root, *answer_nodes = end.line()
            beginning, answers = root.beginning, [(node.seat, node.keys) for node in answer_nodes]
        assert beginning is not None
        if not answers:
            raise SharingError(WORDS["share no line"])
        title = clean_lines(" ".join(fields.title.split()), LONGEST_TITLE)
        games().put_line(shared_offer, file(request), end.number, title, beginning, answers, fields.everything)
        friends.start(fields.everywhere or friends.everywhere)
        return {}

    def moment(request: Request, _: Any) -> object:
        """Find the node of a comment's moment. Raises LineError."""
        slots = request.query_params
        line = next((one for one in games().lines() if str(one.id) == slots.get("id")), None)
        answers = slots.get("answers", "")
        if line is None or not (answers.isascii() and answers.isdecimal()):
            raise not_understood()
        with lines_of(bench).tree(line.file) as tree:
            way = tree.node(line.node).line()
        return {"node": way[min(int(answers[:6]), len(way) - 1)].number}

    def line_removed(request: Request, body: Any) -> object:
        games().remove_line(read(_NumberField, body).id)
        return {}

    def remark_removed(request: Request, body: Any) -> object:
        games().remove_comment(read(_NumberField, body).id)
        return {}

    def pattern(request: Request, body: bytes) -> object:
        """Send a link as a QR code."""
        try:
            text = body.decode()
        except UnicodeDecodeError:
            raise not_understood() from None
        if not text or not visible(text) == text:
            raise not_understood()
        return qr.code(text)

    return [
        Route("/api/share", json_handler(now)),
        Route("/api/share/file", json_handler(parcel)),
        Route("/api/share/open", json_handler(begun), methods=["POST"]),
        Route("/api/share/end", json_handler(ended), methods=["POST"]),
        Route("/api/share/table", json_handler(table), methods=["POST"]),
        Route("/api/share/take", json_handler(taken), methods=["POST"]),
        Route("/api/share/line", json_handler(line_shown), methods=["POST"]),
        Route("/api/share/moment", json_handler(moment)),
        Route("/api/share/line/remove", json_handler(line_removed), methods=["POST"]),
        Route("/api/share/remark/remove", json_handler(remark_removed), methods=["POST"]),
        Route("/qr", json_handler(pattern, qr.MAX_LENGTH), methods=["POST"]),
    ]
