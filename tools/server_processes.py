"""Servers as people begin them, each in a process of its own: several behind a proxy, which can be killed."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.request import urlopen

from checkouts import CHECKOUT

sys.path.insert(0, str(CHECKOUT / "interpreter"))

from rulewright.game import library
from rulewright.server.edition_registry import playable_edition, public_name
from usage import Processes

NGINX = """\
daemon off; pid {folder}/pid; error_log /dev/null; worker_processes 1;
events {{ worker_connections 4096; }}
http {{
    access_log off; client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};
    upstream servers {{ {servers} }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://servers; proxy_http_version 1.1; proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $http_connection;
            proxy_read_timeout 60s; proxy_connect_timeout 2s;
        }}
    }}
}}
"""
CADDY = """\
{{
    admin off
    auto_https off
}}
http://127.0.0.1:{port} {{
    reverse_proxy {servers} {{
        lb_policy random
        lb_try_duration 5s
        fail_duration 1s
        trusted_proxies 127.0.0.1/32
    }}
}}
"""


def start_server(*options: str, text: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
    """A server that trusts proxies on this machine. options: of its command line; text: where its output goes."""
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT / "interpreter")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # to compile all modules anew takes longer than to begin
    command = [sys.executable, "-m", "rulewright", "serve", "--trust-proxy", "127.0.0.1", *options]
    return subprocess.Popen(command, stdout=text, text=True, env=environment)


class Servers:
    """number: how many; each can be killed and begun again. options: more of their command line."""

    def __init__(self, number: int, data: str, edition: str, *options: str) -> None:
        self.ports = [_free_port() for _ in range(number)]
        self._options = ["--data", data, *options, *([] if public_name(edition) == edition else [edition])]
        digest = playable_edition(library.load(edition)).pinned.digest
        self._processes = [self._begin(port) for port in self.ports]
        self.killed, self._processor_seconds = 0, 0.0
        for port in self.ports:
            _until_there(port)
            with urlopen(f"http://127.0.0.1:{port}/editions/{digest}"):  # it tells it when it has read it
                pass

    def _begin(self, port: int) -> subprocess.Popen[str]:
        return start_server(*self._options, "--port", str(port))

    def used(self) -> float:
        """Return the seconds of a processor that they have used, also those that were killed."""
        return self._processor_seconds + sum(Processes(process.pid).used() for process in self._processes)

    def memory(self) -> int:
        """Return their memory in bytes; what several share is divided among them."""
        return sum(Processes(process.pid).memory() for process in self._processes)

    def kill(self, which: int) -> None:
        """Kill a server, begin it again at its port, and wait until it answers."""
        seconds = Processes(self._processes[which].pid).used()
        self._processes[which].send_signal(signal.SIGKILL)
        self._processes[which].wait()
        self.killed += 1
        self._processor_seconds += seconds
        self._processes[which] = self._begin(self.ports[which])
        _until_there(self.ports[which])

    def close(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()


class Workers(Servers):
    """One server with so many workers; whoever of them is killed, it begins again by itself."""

    def __init__(self, number: int, data: str, edition: str) -> None:
        super().__init__(1, data, edition, "--workers", str(number))

    def kill(self, which: int) -> None:
        """Kill a worker, another one each time; `which` tells nothing here."""
        workers = Processes(self._processes[0].pid).workers()
        if workers:
            os.kill(workers[self.killed % len(workers)], signal.SIGKILL)
            self.killed += 1

    def close(self) -> None:
        for process in self._processes:
            process.terminate()
            process.wait()


def _free_port() -> int:
    with socket.socket() as result:
        result.bind(("127.0.0.1", 0))
        return int(result.getsockname()[1])


def _until_there(port: int) -> None:
    """Wait until somebody answers at a port of this computer. Exits if nobody does for a minute."""
    for _ in range(1200):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise SystemExit(f"Nobody answers at port {port}.")


@contextmanager
def proxied(kind: str, ports: Sequence[int]) -> Iterator[list[str]]:
    """Yield the addresses at which people find the servers: that of a proxy in front, which runs meanwhile, or with
    'none' those of all."""
    if kind == "none":
        yield [f"http://127.0.0.1:{port}/" for port in ports]
        return
    folder, port = Path(tempfile.mkdtemp(prefix="rulewright-proxy-")), _free_port()
    if kind == "nginx":
        servers = " ".join(f"server 127.0.0.1:{one} max_fails=0;" for one in ports)
        (folder / "conf").write_text(NGINX.format(folder=folder, servers=servers, port=port), encoding="utf-8")
        command = ["nginx", "-c", str(folder / "conf"), "-e", "/dev/null"]
    else:
        servers = " ".join(f"127.0.0.1:{one}" for one in ports)
        (folder / "Caddyfile").write_text(CADDY.format(servers=servers, port=port), encoding="utf-8")
        command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    try:
        _until_there(port)
        yield [f"http://127.0.0.1:{port}/"]
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)
