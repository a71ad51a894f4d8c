"""What the commands of `hypershift local` share: flags, and the cluster that they name."""

from hypershift.cli.flags import Flag, Values
from hypershift.cli.output import format_flag
from hypershift.kit import UsageError
from hypershift.local import state
from hypershift.local.state import Layout, Spec

NAME = Flag("name", "Name of the cluster", default=state.DEFAULT_NAME, persistent=True)
STATE = Flag("state-dir", "Directory that holds the clusters of this user", persistent=True)
OUTPUT = format_flag()


def named(values: Values) -> Layout:
    """The directory of the cluster that the flags name, whether it is there or not."""
    return state.layout(values["name"], state.base_directory(values["state-dir"]))


def present(values: Values) -> tuple[Layout, Spec]:
    """The cluster that the flags name, or a sentence when there is none."""
    where = named(values)
    spec = state.load(where)
    if spec is None:
        raise UsageError(f"there is no cluster {where.name} in {where.root.parent}")
    return where, spec
