"""Finds the console logs of machines on this host."""

from pathlib import Path

import yaml

from hypershift.cli.management import kubeconfig_path
from hypershift.kit import Key
from hypershift.local.cluster import state

LINES = 12
TAIL_BYTES = 16 * 1024


def embedded_home(flag: str) -> state.Layout | None:
    """The embedded cluster that a kubeconfig leads to, if it runs on this host."""
    wanted = _server(kubeconfig_path(flag))
    for where in state.clusters(state.base_directory("")):
        if wanted and wanted == _server(where.admin):
            return where
    return None


def console_of(where: state.Layout, machine: Key) -> Path:
    """The file with a hosted machine's console output since it was switched on."""
    return where.hosted / f"{machine.namespace}.{machine.name}" / "console.log"


def tail(path: Path, lines: int = LINES) -> str:
    """The last lines of a console; nothing when it cannot be read."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - TAIL_BYTES))
            text = file.read().decode(errors="replace")
    except OSError:
        return ""
    return "\n".join(text.splitlines()[-lines:])


def _server(kubeconfig: Path) -> str:
    try:
        document = yaml.safe_load(kubeconfig.read_text())
        return str(document["clusters"][0]["cluster"]["server"])
    except (OSError, yaml.YAMLError, LookupError, TypeError):
        return ""
