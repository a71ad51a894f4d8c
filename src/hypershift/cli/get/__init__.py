"""`get clusters|nodepools|components|releases|ignition`: the fleet at a glance."""

from functools import partial

from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.get import ignition, releases, show
from hypershift.cli.get.listings import LISTINGS, Listing
from hypershift.cli.output import format_flag
from hypershift.cli.typed import Typed

FLAGS = (
    format_flag(wide=True),
    Flag("namespace", "Only this namespace (all when not given)", short="n"),
    Flag("kubeconfig", "Kubeconfig of the management cluster"),
)
WATCH = Flag("watch", "Go on with a row for every change", BOOL, short="w")


def _runner(listing: Listing) -> Typed[show.Get]:
    return Typed(show.Get, partial(show.run, listing))


COMMAND = Command(
    "get",
    "Show hosted clusters, node pools, components and releases",
    examples="""\
  # every cluster, and what the unavailable ones wait for
  hypershift get clusters -o wide""",
    commands=(
        *(
            Command(
                listing.word,
                listing.summary,
                flags=(*FLAGS, WATCH),
                run=_runner(listing),
                aliases=listing.aliases,
            )
            for listing in LISTINGS
        ),
        Command(
            "releases",
            "Releases, and who runs them",
            flags=FLAGS,
            run=Typed(releases.GetReleases, releases.run),
            aliases=("release",),
        ),
        ignition.COMMAND,
    ),
)
