"""What the commands of `hypershift local` share: flags, and the cluster that they name."""

from dataclasses import dataclass

from hypershift.cli.flags import Flag
from hypershift.cli.output import format_flag
from hypershift.kit import UsageError
from hypershift.local.cluster import state
from hypershift.local.cluster.state import Layout, Spec

NAME = Flag("name", "Name of the cluster", default=state.DEFAULT_NAME, persistent=True)
STATE = Flag("state-dir", "Directory that holds the clusters of this user", persistent=True)
OUTPUT = format_flag()


@dataclass(frozen=True, slots=True)
class Place:
    """Which cluster a command of `hypershift local` is about; options of commands extend it."""

    name: str
    state_dir: str

    @property
    def layout(self) -> Layout:
        """The directory of that cluster, whether it is there or not."""
        return state.layout(self.name, state.base_directory(self.state_dir))

    def present(self) -> tuple[Layout, Spec]:
        """That cluster, or a sentence when there is none."""
        where = self.layout
        spec = state.load(where)
        if spec is None:
            raise UsageError(f"there is no cluster {where.name} in {where.root.parent}")
        return where, spec
