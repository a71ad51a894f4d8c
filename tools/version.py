"""The version of a build, read from git: a tag's, or the next one's development version.

The build backend evaluates `version()`. A source distribution has no git history: there the
version stands in PKG-INFO.
"""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: What is developed while no version was tagged yet.
FIRST = "0.1.0"
_TAG = re.compile(r"v(\d+)\.(\d+)\.(\d+)")
_DESCRIPTION = re.compile(r"(?P<tag>.+)-(?P<distance>\d+)-g(?P<commit>[0-9a-f]+)")


def version(root: Path = ROOT) -> str:
    """The version of the files under a directory."""
    packed = root / "PKG-INFO"
    if packed.is_file():
        found = re.search(r"^Version: (\S+)$", packed.read_text(), re.MULTILINE)
        if found:
            return found[1]
    if not (root / ".git").exists():  # a bare download: a directory above may be another project
        return f"{FIRST}.dev0"
    return from_description(_git(root, "describe", "--tags", "--long", "--match", "v[0-9]*")) or (
        _untagged(root)
    )


def from_description(text: str) -> str:
    """The version that `git describe --long` tells; empty when it tells none.

    A tagged commit has the tag's version. Commits after it prepare the next patch release.
    """
    found = _DESCRIPTION.fullmatch(text)
    tag = _TAG.fullmatch(found["tag"]) if found else None
    if not found or not tag:
        return ""
    major, minor, patch = map(int, tag.groups())
    if found["distance"] == "0":
        return f"{major}.{minor}.{patch}"
    return f"{major}.{minor}.{patch + 1}.dev{found['distance']}+g{found['commit']}"


def semantic(text: str) -> str:
    """A Python version in the notation that Helm wants: `0.1.0.dev3+gabc` as `0.1.0-dev.3+gabc`."""
    return re.sub(r"\.dev(\d+)", r"-dev.\1", text)


def _untagged(root: Path) -> str:
    count, commit = _git(root, "rev-list", "--count", "HEAD"), _git(root, "rev-parse", "HEAD")
    return f"{FIRST}.dev{count}+g{commit[:9]}" if count and commit else f"{FIRST}.dev0"


def _git(root: Path, *words: str) -> str:
    try:
        done = subprocess.run(
            ("git", "-C", root, *words), capture_output=True, text=True, check=False
        )
    except FileNotFoundError:  # a machine without git builds a version that says so: .dev0
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


if __name__ == "__main__":
    print(version())  # noqa: T201 - make asks for it
