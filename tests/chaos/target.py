"""Where the processes and networks are that faults hit."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.chaos.plan import Target
from tests.e2e import processes
from tests.e2e.embedded import Cluster
from tests.e2e.hosted import Hosted

#: The component and the program of what runs in pods of a control plane.
COMPONENTS = {
    Target.HOSTED_ETCD: ("etcd", "etcd"),
    Target.HOSTED_API: ("kube-apiserver", "kube-apiserver"),
    Target.HOSTED_CONTROLLERS: ("kube-controller-manager", "kube-controller-manager"),
    Target.HOSTED_SCHEDULER: ("kube-scheduler", "kube-scheduler"),
}
UNITS = {
    Target.MANAGEMENT_ETCD: "etcd",
    Target.MANAGEMENT_API: "kube-apiserver",
    Target.MANAGEMENT_CONTROLLERS: "kube-controller-manager",
    Target.MANAGEMENT_SCHEDULER: "kube-scheduler",
    Target.SUPERVISOR: "supervisor",
    Target.GUARDIAN: "guardian",
}
#: The program, and whether it is one of the management cluster's own machines.
PROGRAMS = {
    Target.MANAGEMENT_KUBELET: ("kubelet", True),
    Target.MANAGEMENT_CONTAINERD: ("containerd", True),
    Target.WORKER_KUBELET: ("kubelet", False),
    Target.WORKER_CONTAINERD: ("containerd", False),
}


@dataclass(frozen=True, slots=True)
class Victim:
    """A process, and whose it is in words that stay the same in the next run."""

    name: str
    pid: int


@dataclass(frozen=True, slots=True)
class Fleet:
    """The embedded cluster and the hosted clusters that live through all faults."""

    management: Cluster
    single: Hosted
    available: Hosted

    @property
    def hosted(self) -> tuple[Hosted, Hosted]:
        return self.single, self.available

    def victims(self, target: Target) -> list[Victim]:
        """The processes that a fault may hit, in a fixed order; empty while there are none."""
        return sorted(self._look(target)(), key=lambda victim: (victim.name, victim.pid))

    def _look(self, target: Target) -> Callable[[], Iterator[Victim]]:
        match target:
            case Target.OPERATOR:
                return lambda: self._in_pods("hypershift", "app=operator", "python")
            case Target.CLUSTER_API:
                return lambda: self._in_pods("capi-system", "", "manager", "core")
            case Target.MANAGEMENT_NODE | Target.WORKER:
                return lambda: self._machines(management=target is Target.MANAGEMENT_NODE)
            case _ if target in COMPONENTS:
                return lambda: self._components(*COMPONENTS[target])
            case _ if target in UNITS:
                return lambda: self._unit(UNITS[target])
            case _:
                program, management = PROGRAMS[target]
                return lambda: self._programs(program, management=management)

    def _components(self, component: str, program: str) -> Iterator[Victim]:
        for one in self.hosted:
            yield from self._in_pods(one.plane, f"app={component}", program)

    def _in_pods(self, namespace: str, label: str, *programs: str) -> Iterator[Victim]:
        words = ("-n", namespace, *(("-l", label) if label else ()))
        pods = {
            pod["metadata"]["uid"]: f"{namespace}/{pod['metadata']['name']}"
            for pod in self.management.get("pods", *words)
        }
        for process in processes.of_pods(set(pods)):
            if process.program.startswith(programs):
                yield Victim(pods[process.pod], process.pid)

    def _unit(self, name: str) -> Iterator[Victim]:
        with suppress(OSError):
            yield Victim(name, self.management.pid(name))

    def _programs(self, program: str, *, management: bool) -> Iterator[Victim]:
        for machine, pid in self._in_machines(management=management):
            with suppress(OSError):
                if Path(f"/proc/{pid}/exe").readlink().name == program:
                    yield Victim(machine, pid)

    def _machines(self, *, management: bool) -> Iterator[Victim]:
        """The first process of each machine, whose network namespace is the machine's."""
        first: dict[str, int] = {}
        for machine, pid in self._in_machines(management=management):
            first[machine] = min(pid, first.get(machine, pid))
        for machine, pid in first.items():
            yield Victim(machine, pid)

    def _in_machines(self, *, management: bool) -> Iterator[tuple[str, int]]:
        side = "mgmt" if management else "hosted"
        scope = f"hypershift/{side}{self.management.spec.index}/"
        for place in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                _, found, rest = (place / "cgroup").read_text().partition(scope)
                if found:
                    yield rest.split("/")[0].split("\n")[0], int(place.name)
