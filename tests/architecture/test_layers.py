"""The layers of docs/architecture.md hold, as written in pyproject.toml."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src/hypershift"
#: An import that no module may have, and the contract that forbids it.
OFFENCES = {
    "kit/names.py": ("hypershift.kube.base", "Imports point downwards"),
    "controlplane/router/__init__.py": (
        "hypershift.controlplane.etcd",
        "Components do not know each other",
    ),
    "platforms/gcp/__init__.py": ("hypershift.platforms.aws.tags", "Platforms do not know"),
    "operators/pki/scope.py": (
        "hypershift.operators.guest_config.scope",
        "Operators do not know each other",
    ),
}


def linted(root: Path) -> subprocess.CompletedProcess[str]:
    linter = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [linter, "--no-cache"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_imports_point_downwards() -> None:
    result = linted(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr


def test_each_kind_of_forbidden_import_is_found(tmp_path: Path) -> None:
    no_caches = shutil.ignore_patterns("__pycache__", "assets", "*.json")
    shutil.copytree(SOURCE, tmp_path / "src/hypershift", ignore=no_caches)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for module, (imported, _) in OFFENCES.items():
        with (tmp_path / "src/hypershift" / module).open("a") as file:
            file.write(f"\nimport {imported}\n")
    told = linted(tmp_path).stdout
    broken = [line for line in told.splitlines() if line.endswith(" BROKEN")]
    wanted = [contract for _, contract in OFFENCES.values()]
    assert all(any(line.startswith(each) for line in broken) for each in wanted), told


def test_the_contract_names_every_platform() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    (named,) = (
        contract["modules"]
        for contract in settings["contracts"]
        if contract["name"] == "Platforms do not know each other"
    )
    folders = (path.parent.name for path in (SOURCE / "platforms").glob("*/__init__.py"))
    assert sorted(named) == sorted(f"hypershift.platforms.{each}" for each in folders)
