"""How an API server of the Kubernetes payload leaves: those who stayed are not turned away."""

from collections.abc import Iterator

from hypershift.component import View, edit
from hypershift.controlplane.kube_apiserver.common import NAME
from hypershift.kit import Manifest

#: Seconds that a replica of several goes on serving after it was told to stop, so that load
#: balancers find another first; a single one has nobody to hand over to. Then it closes its door
#: and its idle connections, which clients try again elsewhere. It does not stay to refuse them
#: (--shutdown-send-retry-after): those who keep a connection would meet 429 in good health.
SECONDS = 15
WATCH_GRACE = 10
MARGIN = 15

#: Seconds on one processor before the door closes. A server refuses (503) a few milliseconds
#: before it closes connections, because it stops its controllers in between (ADR 9). With one
#: processor Go does all of that before it looks for other requests, so hardly anybody meets it.
ALONE = 2
#: Go follows the processors that a program may use, and looks once a second.
FOLLOW = {"GODEBUG": "updatemaxprocs=1"}
#: Who looks is the second thread of the server, which is process 1. It alone is bound, to whichever
#: processor this shell runs on: the others stay free to run where there is time for them. The hook
#: ends at once, because the server is told to stop only then. Where it does not work, a server
#: stops as it would without it.
NARROW = f"""\
{{ sleep {SECONDS - ALONE}
  looking=$(ls /proc/1/task | sort -n | sed -n 2p)
  taskset -pc "$(cut -d ' ' -f 39 /proc/self/stat)" "$looking"
}} >/dev/null 2>&1 &"""


def flags(view: View) -> Iterator[str]:
    """Yield for how long a server of several serves on, and its watches after that."""
    if not view.single_replica:
        yield f"--shutdown-delay-duration={SECONDS}s"
        yield f"--shutdown-watch-termination-grace-period={WATCH_GRACE}s"


def prepared(view: View, manifest: Manifest, tunnels: str) -> Manifest:
    """Give a replica of several time to hand over, and its tunnels with it; a single one goes."""
    if view.single_replica:
        return edit.allow_to_stop(manifest, MARGIN)
    manifest = edit.allow_to_stop(manifest, SECONDS + WATCH_GRACE + MARGIN)
    manifest = edit.set_env(manifest, NAME, FOLLOW)
    manifest = edit.before_stop(manifest, NAME, {"exec": {"command": ["sh", "-c", NARROW]}})
    return edit.before_stop(manifest, tunnels, {"sleep": {"seconds": SECONDS}})
