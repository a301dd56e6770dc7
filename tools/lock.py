"""Write anew of what the container and the download are made: `python tools/lock.py`, where `uv` is installed.

The package names ranges, so that it can be installed beside others. What is handed out is made of exact versions, each
with the hashes of its files: `pip install --require-hashes` takes nothing else. Locks hold for all systems and versions
of Python that the package does.

With `--images`, the images that containers begin with get the digests that their tags have now, where `skopeo` is
installed. Without that, nothing is fetched by it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import tomllib

ROOT = Path(__file__).resolve().parents[1]
LOCKS: Mapping[str, tuple[str, ...]] = {
    "tools/deploy/requirements.txt": ("serve", "postgresql", "metrics"),
    "tools/app/requirements.txt": ("app",),
}
"""Each file, and the extras of the package that it is for; what builds the package belongs to it."""
WITH_IMAGES = ("tools/deploy/Containerfile", "tools/deploy/compose.yaml")
_IMAGE = re.compile(r"(?P<image>docker\.io/[\w./-]+:[\w.-]+)(@sha256:[0-9a-f]{64})?")


def lock(file: str, extras: tuple[str, ...]) -> None:
    """Run uv. Raises subprocess.CalledProcessError, which uv explains."""
    with (ROOT / "pyproject.toml").open("rb") as project:
        build = tomllib.load(project)["build-system"]["requires"]
    words = ["uv", "pip", "compile", "--quiet", "--universal", "--generate-hashes", "--no-annotate", "--no-header"]
    words += ["--python-version", "3.11", "--output-file", file, "pyproject.toml", "-"]
    words += [f"--extra={extra}" for extra in extras]
    subprocess.run(words, input="\n".join(build), encoding="utf-8", cwd=ROOT, check=True)


def pin_images(text: str, digest: Callable[[str], str]) -> str:
    """Add the digest of each image to its tag in a text. digest: of an image with a tag, as 'sha256:…'."""
    return _IMAGE.sub(lambda match: f"{match['image']}@{digest(match['image'])}", text)


def current_digest(image: str) -> str:
    """Return the digest that an image's tag has now. Raises subprocess.CalledProcessError, OSError."""
    words = ["skopeo", "inspect", "--format", "{{.Digest}}", f"docker://{image}"]
    return subprocess.run(words, capture_output=True, encoding="utf-8", check=True).stdout.strip()


def main(arguments: list[str]) -> int:
    try:
        for file, extras in LOCKS.items():
            lock(file, extras)
        for name in WITH_IMAGES if "--images" in arguments else ():
            path = ROOT / name
            path.write_text(pin_images(path.read_text(encoding="utf-8"), current_digest), encoding="utf-8")
    except FileNotFoundError as error:
        print(f"lock: {error.filename} is not installed.", file=sys.stderr)
        return 2
    except subprocess.CalledProcessError as error:
        print(f"lock: {error.cmd[0]} failed. {error.stderr or ''}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
