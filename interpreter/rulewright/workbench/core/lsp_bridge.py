"""Bridge between a window and a language server in a process of its own; it adds and strips the frames."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright.server.web.protocol import choose_language

COMMAND_PROGRAM = "rulewright-commands"
"""Name of the program for commands, in an installation without Python."""
_MAX_MESSAGE_BYTES = 8 << 20
"""Maximum bytes of a message."""
_PATIENCE = 2.0
"""Seconds until a server that does not end is killed."""


def own_command(*arguments: str) -> Sequence[str]:
    """Return the command that runs this Rulewright in another process, also for an installation without Python."""
    if getattr(sys, "frozen", False):
        own = Path(sys.executable)
        speaking = own.with_name(
            f"{COMMAND_PROGRAM}{own.suffix}"
        )  # a program with windows has no standard input on Windows
        return [str(speaking if speaking.is_file() else own), *arguments]
    return [sys.executable, "-m", "rulewright", *arguments]


async def bridge(socket: WebSocket) -> None:
    """Carry messages between a window and a language server, until one of them ends."""
    await socket.accept()
    language = choose_language(socket.query_params.get("language", ""))
    server = await asyncio.create_subprocess_exec(
        *own_command("language-server", "--lang", language),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=_MAX_MESSAGE_BYTES,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    assert server.stdin is not None and server.stdout is not None
    sender, receiver = (
        asyncio.create_task(_send_to_server(socket, server.stdin)),
        asyncio.create_task(_send_to_window(server.stdout, socket)),
    )
    try:
        await asyncio.wait((sender, receiver), return_when=asyncio.FIRST_COMPLETED)
    finally:
        sender.cancel()
        receiver.cancel()
        server.stdin.close()
        with suppress(ProcessLookupError):
            try:
                await asyncio.wait_for(server.wait(), _PATIENCE)
            except TimeoutError:
                server.kill()
                await server.wait()
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()


async def _send_to_server(socket: WebSocket, server: asyncio.StreamWriter) -> None:
    with suppress(WebSocketDisconnect, ConnectionError):
        while True:
            message = (await socket.receive_text()).encode()
            server.write(b"Content-Length: %d\r\n\r\n" % len(message) + message)
            await server.drain()


async def _send_to_window(server: asyncio.StreamReader, socket: WebSocket) -> None:
    """Send the language server's messages to a window until one of them ends."""
    ended = (WebSocketDisconnect, asyncio.IncompleteReadError, asyncio.LimitOverrunError, RuntimeError, ValueError)
    with suppress(*ended):
        while True:
            head = (await server.readuntil(b"\r\n\r\n")).decode("ascii")
            length = next(
                int(line.partition(":")[2]) for line in head.split("\r\n") if line.lower().startswith("content-length:")
            )
            if length > _MAX_MESSAGE_BYTES:
                return
            await socket.send_text((await server.readexactly(length)).decode())
