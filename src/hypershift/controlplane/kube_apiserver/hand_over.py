"""How an API server of the Kubernetes payload leaves: those who stayed are not turned away."""

from collections.abc import Iterator

from hypershift.component import View, edit
from hypershift.controlplane.kube_apiserver.common import NAME
from hypershift.kit import Manifest

#: Seconds that a replica of several continues to serve after the stop signal, so that load
#: balancers find another first. Then it closes its door and its idle connections, which clients
#: try again elsewhere. It does not stay to refuse them (--shutdown-send-retry-after): those who
#: keep a connection would meet 429 in good health.
SECONDS = 15
#: The same for the only replica: a rollout starts the next one before it stops this one, and
#: kube-proxy of the management cluster follows within a second.
SINGLE_SECONDS = 3
#: Seconds in which a server ends its watches. Without this flag it waits for the clients to end
#: them, which they do not, until the kubelet kills it.
WATCH_GRACE = 10
MARGIN = 15

#: Seconds on one processor before the door closes. A server refuses (503) a few milliseconds
#: before it closes connections, because it stops its controllers in between (ADR 9). With one
#: processor Go does all of that before it reads further requests, so hardly any client is refused.
ALONE = 2
#: Go follows the processors that a program may use, and counts them once a second.
FOLLOW = {"GODEBUG": "updatemaxprocs=1"}
#: The second thread of the server (process 1) counts the processors. It alone is bound, to the
#: processor that this shell runs on; the other threads may run on any. The hook ends at once,
#: because the kubelet sends the stop signal only afterwards. Where it fails, a server stops as
#: without it.
NARROW = """\
{{ sleep {seconds}
  looking=$(ls /proc/1/task | sort -n | sed -n 2p)
  taskset -pc "$(cut -d ' ' -f 39 /proc/self/stat)" "$looking"
}} >/dev/null 2>&1 &"""


def delay(view: View) -> int:
    """Seconds that a server continues to serve after the stop signal."""
    return SINGLE_SECONDS if view.single_replica else SECONDS


def flags(view: View) -> Iterator[str]:
    """Yield for how long a server serves on, and its watches after that."""
    yield f"--shutdown-delay-duration={delay(view)}s"
    yield f"--shutdown-watch-termination-grace-period={WATCH_GRACE}s"


def prepared(view: View, manifest: Manifest, tunnels: str) -> Manifest:
    """Give a server time to hand over to the next one, and its tunnels with it."""
    seconds = delay(view)
    manifest = edit.allow_to_stop(manifest, seconds + WATCH_GRACE + MARGIN)
    manifest = edit.set_env(manifest, NAME, FOLLOW)
    narrow = NARROW.format(seconds=seconds - ALONE)
    manifest = edit.before_stop(manifest, NAME, {"exec": {"command": ["sh", "-c", narrow]}})
    return edit.before_stop(manifest, tunnels, {"sleep": {"seconds": seconds}})
