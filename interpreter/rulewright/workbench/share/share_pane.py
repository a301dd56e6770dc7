"""Pane 'Share': a game as a file, tables for friends, and lines of play for comments."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any
from urllib.parse import quote

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulewright.base.diagnostics import escape_controls
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.players.seating import OPPONENT
from rulewright.server.web import qr
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import file, get, not_understood, post, read
from rulewright.workbench.new_game import game_archive
from rulewright.workbench.play.line_store import lines_of
from rulewright.workbench.play.play_tree import MAX_TITLE_LENGTH
from rulewright.workbench.share.friends_games import FriendsGames
from rulewright.workbench.share.friends_server import FriendsServer
from rulewright.workbench.share.share_store import ShareStore, SharingError, clean_lines

FOLDER = "tables"
"""Subfolder of the workbench's own data with tables and shared lines."""
_MAX_SEATS_OF_A_KIND = 12
"""Maximum number of friends' seats that may be asked for, and of computers' seats; the server checks their sum."""

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
    "share line": phrase("design", "Link for remarks"),
    "share line untitled": phrase("design", "A game without a title"),
    "share stop": phrase("design", "Stop showing it"),
    "share no remarks": phrase("design", "Nobody has said anything yet."),
    "share anonymous": phrase("design", "Somebody"),
    "share moment": phrase("design", "Moment {number}"),
    "share done": phrase("design", "Delete the remark"),
}

_NO_LINE = phrase("design", "Play something first, under Play.")
"""Message that nothing has been played that could be shared."""

_Short = Annotated[str, Meta(max_length=200)]
_Count = Annotated[int, Meta(ge=0, le=_MAX_SEATS_OF_A_KIND)]
"""Number of friends, or of computer players."""


class _StartFields(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `start_server`. everywhere: whether the local network reaches the server, too."""

    everywhere: bool


class _TableFields(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `open_table`. everywhere: as in `_StartFields`; name: of the designer, who gets a seat besides those of
    friends and computers."""

    everywhere: bool
    name: _Short
    friends: _Count
    computers: _Count


class _LineFields(Struct, frozen=True, forbid_unknown_fields=True):
    """Body of `share_line`. everything: whether it shows what players hide from each other; everywhere: as in
    `_StartFields`, but false leaves a server that runs as it is."""

    title: _Short
    everything: bool
    everywhere: bool


class _NumberField(Struct, frozen=True, forbid_unknown_fields=True):
    """Number of a finished game, a shared line or a comment."""

    id: int


class _SharePane:
    """Handlers of the pane. The store is made on first use.

    Each gets the request, which names the file as `file` where it needs one, and the body, and returns what is sent.
    The server for friends stops with the bench; windows are told of its news by a message `remarked`.
    """

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._folder = bench.folder.own / FOLDER
        self._friends = FriendsServer(self._folder, lambda: bench.windows.broadcast({"type": "remarked"}))
        bench.on_close(self._friends.stop)

    @cached_property
    def _store(self) -> ShareStore:
        """Store of what is shared. Makes its folder, by which `state` knows that something may be shared."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        return ShareStore(self._folder)

    @cached_property
    def _finished_games(self) -> FriendsGames:
        return FriendsGames(self._folder, self._store)

    def state(self, request: Request, _: Any) -> object:
        """Return the server's address ('' while it does not run), whether the network reaches it, finished games of the
        file, and shared lines of all files with their comments."""
        name = request.query_params.get("file", "")
        is_used = self._folder.is_dir()
        return {
            "address": self._friends.address,
            "everywhere": self._friends.everywhere,
            "over": self._finished_games.list_games(name) if is_used and name else [],
            "lines": self._describe_lines() if is_used else [],
        }

    def _describe_lines(self) -> list[dict[str, object]]:
        """Describe the shared lines and their comments; a link is '' while the server does not run."""
        comments, address = self._store.comments(), self._friends.address
        return [
            {
                "id": line.id,
                "title": line.title,
                "file": line.file,
                "node": line.node,
                "everything": line.everything,
                "link": f"{address}remarks#{self._store.token(line.id)}" if address else "",
                "remarks": [comment for comment in comments if comment.line == line.id],
            }
            for line in self._store.lines()
        ]

    def game_file(self, request: Request, _: Any) -> object:
        """Send the game as a file to save, with all that has been typed."""
        name = file(request)
        self._bench.compiled(name)  # waits until typed text is on disk
        content = game_archive.pack(self._bench.folder.file(name))
        file_name = f"{name.rpartition('/')[2].rpartition('.')[0]}{game_archive.SUFFIX}"
        headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(file_name)}"}
        return Response(content, media_type="application/zip", headers=headers)

    def start_server(self, request: Request, body: Any) -> object:
        """Start the server, anew if it should be reached from elsewhere than now; return {}. Raises SharingError."""
        self._friends.start(read(_StartFields, body).everywhere)
        return {}

    def stop_server(self, request: Request, _: Any) -> object:
        """Stop the server; return {}. Its games are stored."""
        self._friends.stop()
        return {}

    def open_table(self, request: Request, body: Any) -> object:
        """Open a table of the game for the designer, friends and computer players, after starting the server; return
        its links. Raises SharingError, also for a blank name."""
        fields = read(_TableFields, body)
        if not fields.name.strip():
            raise SharingError(phrase("design", "Say what you are called at the table."))
        digest = self._store.put_edition(self._bench.offer(file(request)))
        self._friends.start(fields.everywhere)
        return self._friends.table(digest, fields.name, fields.friends, fields.computers, OPPONENT)

    def import_game(self, request: Request, body: Any) -> object:
        """Add a finished game as a line of play; return its last node. Raises SharingError, PlayLineError."""
        with lines_of(self._bench).tree(file(request)) as tree:
            return {"node": self._finished_games.import_game(read(_NumberField, body).id, tree).number}

    def share_line(self, request: Request, body: Any) -> object:
        """Share the designer's current line, to its end or to where it stops fitting the rules, after starting the
        server; return {}. Raises SharingError if there is no answer in it."""
        fields, offer = read(_LineFields, body), self._bench.offer(file(request))
        with lines_of(self._bench).tree(file(request)) as tree:
            if (
                tree.current is None
                or (end := tree.last_fitting_node((tree.current.onward() or [tree.current])[-1])) is None
            ):
                raise SharingError(_NO_LINE)
            root, *answer_nodes = end.line()
            beginning, answers = root.beginning, [(node.seat, node.keys) for node in answer_nodes]
        assert beginning is not None
        if not answers:
            raise SharingError(_NO_LINE)
        title = clean_lines(" ".join(fields.title.split()), MAX_TITLE_LENGTH)
        self._store.put_line(offer, file(request), end.number, title, beginning, answers, fields.everything)
        self._friends.start(fields.everywhere or self._friends.everywhere)
        return {}

    def moment(self, request: Request, _: Any) -> object:
        """Find the node of a comment's moment, from the query: `id` of the shared line, and the number of `answers`
        before it, at most those of the line. Raises PlayLineError, BenchError."""
        slots = request.query_params
        line = next((one for one in self._store.lines() if str(one.id) == slots.get("id")), None)
        answers = slots.get("answers", "")
        if line is None or not (answers.isascii() and answers.isdecimal()):
            raise not_understood()
        with lines_of(self._bench).tree(line.file) as tree:
            way = tree.node(line.node).line()
        return {"node": way[min(int(answers[:6]), len(way) - 1)].number}

    def remove_line(self, request: Request, body: Any) -> object:
        """Delete a shared line with its comments; return {}."""
        self._store.remove_line(read(_NumberField, body).id)
        return {}

    def remove_comment(self, request: Request, body: Any) -> object:
        """Delete a comment; return {}."""
        self._store.remove_comment(read(_NumberField, body).id)
        return {}


def qr_code(request: Request, body: bytes) -> object:
    """Return the QR code of the link that the body is, as `qr.code` does. Raises BenchError for an empty text, or one
    with control characters."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise not_understood() from None
    if not text or not escape_controls(text) == text:
        raise not_understood()
    return qr.code(text)


def routes(bench: Bench) -> list[Route]:
    """Return the routes of the pane of sharing, and `/qr`, which makes codes of any links."""
    pane = _SharePane(bench)
    return [
        get("/api/share", pane.state),
        get("/api/share/file", pane.game_file),
        post("/api/share/open", pane.start_server),
        post("/api/share/end", pane.stop_server),
        post("/api/share/table", pane.open_table),
        post("/api/share/take", pane.import_game),
        post("/api/share/line", pane.share_line),
        get("/api/share/moment", pane.moment),
        post("/api/share/line/remove", pane.remove_line),
        post("/api/share/remark/remove", pane.remove_comment),
        post("/qr", qr_code, raw=qr.MAX_LENGTH),
    ]
