"""Proxies in front of servers, on this computer: with the files that are shipped, and a certificate of their own."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from game_servers import PATIENCE
from project_folders import ROOT

DEPLOY = ROOT / "tools" / "deploy"
CADDY, NGINX = "caddy", "nginx"
NAME = "localhost"
"""Host name by which browsers call the proxy, and for which its certificate is made."""


def missing(kind: str) -> bool:
    """Debian keeps nginx where only root looks."""
    return program(kind) is None or shutil.which("openssl") is None


def program(kind: str) -> str | None:
    return shutil.which(kind, path=f"{os.environ.get('PATH', '')}:/usr/sbin")


both = pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=pytest.mark.skipif(missing(kind), reason=f"needs {kind}")) for kind in (CADDY, NGINX)],
)


def certificate(folder: Path) -> tuple[Path, Path]:
    """Return a self-signed certificate and its key."""
    result, key = folder / "certificate.pem", folder / "key.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "2",
    ]
    command += [
        "-subj",
        f"/CN={NAME}",
        "-addext",
        f"subjectAltName=DNS:{NAME}",
        "-keyout",
        str(key),
        "-out",
        str(result),
    ]
    subprocess.run(command, check=True, capture_output=True)
    return result, key


def command(kind: str, folder: Path, port: int, servers: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return the command and the environment of a proxy in front of servers (`HOST:PORT`)."""
    result, key = certificate(folder)
    outcome = program(kind)
    assert outcome is not None
    if kind == CADDY:
        shutil.copy(DEPLOY / "Caddyfile", folder)
        lines = {
            "SITE": f"{NAME}:{port}",
            "TLS": f"tls {result} {key}",
            "SERVERS": " ".join(servers),
            "HOME": str(folder),
        }
        lines |= {
            "OPTIONS": "auto_https disable_redirects",
            "XDG_DATA_HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder),
        }
        return [outcome, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"], {
            **os.environ,
            **lines,
        }
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    for number, server in enumerate(("server1:8421", "server2:8421")):
        line = re.compile(rf"^ +server {server}( .*;\n)", re.MULTILINE)
        assert line.search(text)
        text = line.sub(rf"        server {servers[number]}\1" if number < len(servers) else "", text)
    for shipped, current in (
        ("443 ssl", f"127.0.0.1:{port} ssl"),
        ("/etc/nginx/", f"{folder}/"),
        ("games.example.org", NAME),
    ):
        assert shipped in text
        text = text.replace(shipped, current)
    stored = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    own = "".join(f"    {one}_temp_path {folder}/{one};\n" for one in stored)
    (folder / "nginx.conf").write_text(
        text.replace("http {\n", f"http {{\n    access_log off;\n{own}"), encoding="utf-8"
    )
    settings = f"daemon off; pid {folder}/pid; error_log {folder}/errors.txt;"
    return [outcome, "-p", str(folder), "-c", "nginx.conf", "-e", f"{folder}/errors.txt", "-g", settings], {
        **os.environ
    }


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        results = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [one.getsockname()[1] for one in results]


@contextmanager
def proxy(kind: str, folder: Path, *servers: str) -> Iterator[tuple[str, ssl.SSLContext]]:
    """Run a proxy; yields its address, and the certificate to trust there."""
    folder.mkdir()
    [port] = free_ports(1)
    words, environment = command(kind, folder, port, servers)
    with (folder / "said.txt").open("w", encoding="utf-8") as file:
        running = subprocess.Popen(words, stdout=file, stderr=file, env=environment)
    try:
        _until_open(port, running, folder)
        yield f"https://{NAME}:{port}/", ssl.create_default_context(cafile=str(folder / "certificate.pem"))
    finally:
        running.terminate()
        running.wait()


def _until_open(port: int, running: subprocess.Popen[bytes], folder: Path) -> None:
    late = time.monotonic() + PATIENCE
    while running.poll() is None and time.monotonic() < late:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
    raise AssertionError((folder / "said.txt").read_text(encoding="utf-8"))
