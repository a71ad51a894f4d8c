"""Command lines as the options that a command gets of them."""

from hypershift.cli.command import understand
from hypershift.cli.install.options import InstallOptions
from hypershift.cli.main import HYPERSHIFT
from hypershift.cli.typed import options


def install_options(*words: str, command: str = "render") -> InstallOptions:
    """What `install render`, or another command below `install`, is given."""
    return options(InstallOptions, understand(HYPERSHIFT, ["install", command, *words]).values)
