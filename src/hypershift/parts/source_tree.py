"""Source trees of Go modules: as registries have them, or with files of ours laid over them."""

import json
import shutil
import tarfile
from collections.abc import Sequence
from pathlib import Path

from hypershift.parts.errors import BuildFailed
from hypershift.parts.part import GoModule
from hypershift.parts.process import run
from hypershift.parts.recipe import module_directory
from hypershift.parts.toolchain import Toolchain

#: Where files that are laid over other modules lie beside go.mod, and where the copies stand.
PATCHES, LOCAL = "patches", "local"
#: Lines of other modules that are changed, beside go.mod too.
EDITS = "edits.json"


async def work_directory(module: GoModule, work: Path, toolchain: Toolchain) -> Path:
    """Where the compiler runs: our files, or a copy of them beside patched modules."""
    own = module_directory(module)
    if not module.patched:
        return own
    copy = work / "source"
    copy.mkdir()
    for name in ("go.mod", "go.sum"):
        shutil.copy(own / name, copy / name)
    for path, version in module.patched.items():
        target = copy / LOCAL / path.rpartition("/")[2]
        shutil.copytree(await fetch(module, path, version, work, toolchain), target)
        # A registry's files may not be written to, and copies keep that.
        for each in (target, *target.rglob("*")):
            each.chmod(each.stat().st_mode | 0o200)
        if (over := own / PATCHES / path).exists():
            shutil.copytree(over, target, dirs_exist_ok=True)
    if (edits := own / EDITS).exists():
        for edit in json.loads(edits.read_bytes()):
            change_line(copy / LOCAL / edit["file"], edit["old"], edit["new"])
    return copy


def change_line(file: Path, old: str, new: str) -> None:
    """Change one line of a copy; it must be there once, as it was when the change was written."""
    text = file.read_text()
    if text.count(f"{old}\n") != 1:
        raise BuildFailed(f"{file} has no single line {old.strip()!r}: another version than ours?")
    file.write_text(text.replace(f"{old}\n", f"{new}\n"))


async def fetch(
    module: GoModule, path: str, version: str, work: Path, toolchain: Toolchain
) -> Path:
    """The source tree of a module; it must have the checksum that our go.sum says."""
    scratch = work / "fetch"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    shutil.copy(module_directory(module) / "go.sum", scratch)
    (scratch / "go.mod").write_text(f"module fetch\n\ngo 1.25\n\nrequire {path} {version}\n")
    finished = await run(
        (toolchain.command, "mod", "download", "-json", path),
        directory=scratch,
        environment=toolchain.environment(),
    )
    if not finished.ok:
        raise BuildFailed(f"{path} {version} could not be fetched:\n  {finished.text}")
    return Path(json.loads(finished.text)["Dir"])


async def archive(
    module: GoModule, folders: Sequence[str], target: Path, toolchain: Toolchain
) -> None:
    """Pack folders of a module into one archive, the same bytes every time."""
    tree = await fetch(module, module.upstream, f"v{module.version}", target.parent, toolchain)
    with tarfile.open(target, "w") as packed:
        for folder in folders:
            for file in sorted(each for each in (tree / folder).rglob("*") if each.is_file()):
                entry = tarfile.TarInfo(str(file.relative_to(tree)))
                entry.size, entry.mode = file.stat().st_size, 0o644
                with file.open("rb") as content:
                    packed.addfile(entry, content)
