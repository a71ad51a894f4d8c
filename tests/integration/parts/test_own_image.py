"""Our own image, started as a container would start it: another user, another root, read-only."""

import os
import subprocess
from pathlib import Path

import pytest

from hypershift.oci import Layout, Tree, directory, extract_image
from hypershift.payload.memo import write_image
from hypershift.payload.own import LIBRARY, PACKAGES, own_image
from hypershift.payload.sysroot import merged_links

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    scratch = tmp_path_factory.mktemp("own")
    scratch.chmod(0o755)
    layout = Layout(scratch / "layout")
    base = Tree().add("tmp", directory(0o1777)).add_all(merged_links())
    first = write_image(layout, own_image(base, scratch / "compiled"))
    again = write_image(Layout(scratch / "again"), own_image(base, scratch / "compiled-again"))
    # all but the topmost layer: in a work tree our own files may change between two builds
    layers = [
        each.manifest(image.digest).layers[:-1]
        for each, image in ((layout, first), (Layout(scratch / "again"), again))
    ]
    assert layers[0] == layers[1], "two builds of one environment differ"
    extract_image(layout, layout.manifest(first.digest), scratch / "root")
    (scratch / "root").chmod(0o755)
    return scratch / "root"


def test_tests_and_development_tools_stay_out(root: Path) -> None:
    assert not (root / LIBRARY / "test").exists()
    assert not (root / PACKAGES / "pytest").exists()
    assert not (root / PACKAGES / "mypy").exists()


def inside(root: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the image as an arbitrary user on a read-only root."""
    script = (
        'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && cd "$0" && '
        'exec chroot --userspec=123456:0 . "$@"'
    )
    return subprocess.run(
        ("unshare", "--mount", "sh", "-c", script, str(root), *command),
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"},
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="changing the root needs root")
def test_the_command_runs_as_any_user_on_a_read_only_root(root: Path) -> None:
    finished = inside(root, "/usr/local/bin/hypershift", "--help")
    assert finished.returncode == 0, finished.stderr
    assert "hypershift [command]" in finished.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="changing the root needs root")
def test_every_module_of_ours_can_be_imported_in_it(root: Path) -> None:
    script = (
        "import importlib, pkgutil, hypershift, sys\n"
        "names = [m.name for m in pkgutil.walk_packages(hypershift.__path__, 'hypershift.')\n"
        "         if '.testing' not in m.name and not m.name.endswith('__main__')]\n"
        "for name in names: importlib.import_module(name)\n"
        "print(len(names))"
    )
    finished = inside(root, "/usr/local/bin/python3", "-c", script)
    assert finished.returncode == 0, finished.stderr
    assert int(finished.stdout) > 50
