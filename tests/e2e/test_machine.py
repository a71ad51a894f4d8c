"""Machines as a user meets them: real kubelets, limits that hold, and nothing left behind."""

import asyncio
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e import machines

from hypershift.ignition import Config, Storage, Systemd, encode, file, unit
from hypershift.kube import kinds
from hypershift.local.machine import Machine, State, confine, sweep

pytestmark = [pytest.mark.e2e]

MIB = 1024 * 1024


@pytest.fixture(scope="module")
def machine_os(tmp_path_factory: pytest.TempPathFactory) -> Path:
    machines.needs_root()
    return machines.machine_os(tmp_path_factory.mktemp("trees"))


@pytest.fixture(autouse=True)
def host(tmp_path: Path) -> Iterator[None]:
    """A bridge for the test, and the proof that its machines left nothing behind."""
    machines.needs_root()
    with machines.bridge():
        try:
            yield
        finally:
            sweep(machines.SCOPE)
    assert not any(machines.traces(tmp_path).values()), machines.traces(tmp_path)


def a_config(*, greeting: str = "hello") -> bytes:
    service = unit(
        "beat.service",
        "[Service]\nExecStart=/bin/sh -c 'while :; do date >> /var/beat; usleep 100000; done'\n"
        "Restart=always\n",
    )
    files = (file("/etc/greeting", f"{greeting}\n"),)
    return encode(Config(storage=Storage(files=files), systemd=Systemd(units=(service,))))


async def running(machine: Machine, config: bytes) -> Machine:
    machine.create(config)
    await machine.boot()
    await machine.booted()
    return machine


async def beats(machine: Machine) -> int:
    path = machine.var / "beat"
    return len(path.read_text().splitlines()) if path.exists() else 0


async def test_a_machine_keeps_its_disk_over_reboot_and_power_off(
    machine_os: Path, tmp_path: Path
) -> None:
    machine = await running(machines.a_machine(machine_os, tmp_path), a_config())
    assert await machine.exec("cat", "/etc/greeting") == (0, "hello\n")
    await machine.exec("sh", "-c", "echo kept > /etc/own; echo kept > /var/own")
    first = (await machine.exec("cat", "/proc/sys/kernel/random/boot_id"))[1]
    await machine.reboot()
    await machine.booted()
    assert await machine.exec("cat", "/etc/own", "/var/own") == (0, "kept\nkept\n")
    assert (await machine.exec("cat", "/proc/sys/kernel/random/boot_id"))[1] != first
    assert not machine.status().fell
    await machine.kill()
    assert machine.status().state is State.STOPPED
    assert machine.status().fell
    await machine.boot()
    await machine.booted()
    assert await machine.exec("cat", "/etc/own") == (0, "kept\n")
    await machine.destroy()
    assert not (tmp_path / "m1").exists()


async def test_a_machine_outlives_whoever_started_it_and_is_adopted(
    machine_os: Path, tmp_path: Path
) -> None:
    machine = machines.a_machine(machine_os, tmp_path)
    machine.create(a_config())
    script = (
        "import asyncio, sys, pathlib\n"
        "from hypershift.local.machine import Machine\n"
        "asyncio.run(Machine.load(pathlib.Path(sys.argv[1])).boot())\n"
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    starter = await asyncio.create_subprocess_exec(
        sys.executable, "-c", script, str(tmp_path / "m1")
    )
    assert await starter.wait() == -signal.SIGKILL
    adopted = Machine.load(tmp_path / "m1")
    await adopted.booted()
    assert (await adopted.exec("true"))[0] == 0
    end = asyncio.create_task(adopted.wait())
    await asyncio.sleep(0.1)
    assert not end.done()
    await adopted.kill()
    await asyncio.wait_for(end, 5)


async def test_a_paused_machine_stands_still_and_goes_on(machine_os: Path, tmp_path: Path) -> None:
    machine = await running(machines.a_machine(machine_os, tmp_path), a_config())
    await machines.until("a beat", lambda: beats(machine))
    machine.pause()
    still = await beats(machine)
    await asyncio.sleep(0.5)
    assert await beats(machine) <= still + 1
    assert machine.status().state is State.PAUSED
    machine.resume()
    await machines.until("more beats", lambda: _more(machine, still + 2))
    machine.pause()
    await machine.kill()  # also a frozen machine can lose its power
    assert machine.status().state is State.STOPPED


async def _more(machine: Machine, than: int) -> bool:
    return await beats(machine) > than


async def test_new_user_data_provision_the_same_disk_at_the_next_boot(
    machine_os: Path, tmp_path: Path
) -> None:
    machine = await running(machines.a_machine(machine_os, tmp_path), a_config())
    await machine.exec("sh", "-c", "echo kept > /var/own")
    machine.reprovision(machine_os, a_config(greeting="goodbye"))
    await machine.reboot()
    await machine.booted()
    assert await machine.exec("cat", "/etc/greeting", "/var/own") == (0, "goodbye\nkept\n")


async def test_a_configuration_that_cannot_be_honoured_is_refused_on_the_console(
    machine_os: Path,
    tmp_path: Path,
) -> None:
    machine = machines.a_machine(machine_os, tmp_path)
    machine.create(b'{"ignition": {"version": "3.2.0"}, "storage": {"raid": []}}')
    await machine.boot()
    await machine.wait()
    assert machine.status().state is State.STOPPED
    assert "raid" in machine.status().failure
    assert "raid" in machine.console.read_text()


async def test_the_memory_limit_holds_for_everything_in_the_machine(
    machine_os: Path, tmp_path: Path
) -> None:
    machine = await running(
        machines.a_machine(machine_os, tmp_path, memory=64 * MIB, cpu=500), a_config()
    )
    code, _ = await machine.exec("sh", "-c", "dd if=/dev/zero of=/dev/null bs=200M count=1")
    assert code == 128 + signal.SIGKILL
    assert (await machine.exec("true"))[0] == 0
    _, total = await machine.exec("sh", "-c", "grep MemTotal /proc/meminfo")
    assert int(total.split()[1]) == 64 * 1024
    began, used = time.monotonic(), machine.status().cpu_seconds
    await machine.exec("timeout", "2", "sh", "-c", "while :; do :; done")
    share = (machine.status().cpu_seconds - used) / (time.monotonic() - began)
    assert share < 0.65


async def test_a_node_joins_runs_privileged_pods_and_leaves_without_a_trace(
    machine_os: Path,
    tmp_path: Path,
) -> None:
    async with machines.cluster(tmp_path) as cluster:
        machine = machines.a_machine(machine_os, tmp_path, memory=1024 * MIB, cpu=1000)
        machine.create(cluster.user_data)
        began = time.monotonic()
        await machine.boot()
        await machines.until("node ready", lambda: machines.node_ready(cluster.client, "m1"))
        machines.measured("ready_seconds", time.monotonic() - began)
        await _node_tells_its_machine(cluster)
        await machines.load_images(machine, tmp_path)
        await _privileged_pod_sees_the_machine_only(cluster, tmp_path)
        machines.measured("memory_mib", machine.status().memory // MIB)
        began = time.monotonic()
        await machine.shutdown(grace=20)
        machines.measured("shutdown_seconds", time.monotonic() - began)
        assert time.monotonic() - began < 15
        await machine.boot()
        await machines.until("kubelet", lambda: _kubelet_runs(machine))
        began = time.monotonic()
        await machine.kill()
        machines.measured("kill_seconds", time.monotonic() - began)
        await machine.destroy()


async def _kubelet_runs(machine: Machine) -> bool:
    code, _ = await machine.exec("sh", "-c", "pidof kubelet")
    return code == 0


async def _node_tells_its_machine(cluster: machines.Cluster) -> None:
    node = await cluster.client.get(kinds.NODE, "m1")
    assert node["spec"]["providerID"] == "local://e2e/m1"
    assert node["metadata"]["labels"]["topology.kubernetes.io/zone"] == "a"
    addresses = {one["type"]: one["address"] for one in node["status"]["addresses"]}
    assert addresses["InternalIP"] == str(machines.NETWORK[11])
    assert node["status"]["capacity"]["memory"] == "1Gi"
    assert node["status"]["allocatable"]["memory"] == "974Mi"
    assert node["status"]["allocatable"]["cpu"] == "1"
    assert "machine-os" in node["status"]["nodeInfo"]["osImage"]


async def _privileged_pod_sees_the_machine_only(cluster: machines.Cluster, tmp_path: Path) -> None:
    marker = tmp_path / "only-on-the-host"
    marker.touch()
    script = f"test -e /host/etc/kubernetes/kubelet.conf && test ! -e /host{marker}"
    await cluster.client.create(machines.a_pod("m1", f"{script}; code=$?; ip addr; exit $code"))
    await machines.until("pod ended", lambda: _ended(cluster), seconds=90)
    pod = await cluster.client.get(kinds.POD, "probe", "default")
    assert pod["status"]["phase"] == "Succeeded", pod["status"]
    assert "eth0" in await cluster.client.logs("probe", "default")


async def _ended(cluster: machines.Cluster) -> bool:
    return await machines.pod_phase(cluster.client) in ("Succeeded", "Failed")


async def test_a_crashed_boot_is_cleaned_by_name(machine_os: Path, tmp_path: Path) -> None:
    machine = await running(machines.a_machine(machine_os, tmp_path), a_config())
    (tmp_path / "m1" / "run.json").unlink()  # as if the record had never been written
    assert machine.status().state is State.STOPPED
    await machine.boot()
    await machine.booted()
    assert len(machines.traces(tmp_path)["groups"]) > 0
    assert sweep(machines.SCOPE) == ("m1",)
    assert machine.status().state is State.STOPPED
    assert not machines.traces(tmp_path)["links"]


async def test_units_run_in_order_restart_and_say_why_they_failed(
    machine_os: Path, tmp_path: Path
) -> None:
    units = (
        unit(
            "first.service",
            "[Unit]\nBefore=second.service\n[Service]\nType=oneshot\n"
            "ExecStart=/bin/sh -c 'sleep 0.3; echo first >> /var/order'\n",
        ),
        unit(
            "second.service",
            '[Service]\nEnvironmentFile=/run/metadata/machine\nEnvironment="WORD=two words"\n'
            "ExecStart=/bin/sh -c 'echo \"${WORD} ${MACHINE_ZONE}\" >> /var/order; exec sleep 99'\n"
            "Restart=always\n",
        ),
        unit(
            "broken.service",
            "[Service]\nType=oneshot\nExecStart=/bin/sh -c 'echo the reason >&2; exit 7'\n",
        ),
        unit("after.service", "[Unit]\nRequires=broken.service\n[Service]\nExecStart=/bin/true\n"),
    )
    machine = await running(
        machines.a_machine(machine_os, tmp_path), encode(Config(systemd=Systemd(units=units)))
    )
    order = machine.var / "order"
    await machines.until("second", lambda: _says(order, "first\ntwo words a\n"))
    await machine.exec("sh", "-c", "kill $(cat /run/machine/units/second.service.main)")
    await machines.until("restart", lambda: _says(order, "first\ntwo words a\ntwo words a\n"))
    await machines.until("refusal", lambda: _says(machine.console, "broken.service failed"))
    console = machine.console.read_text()
    assert "broken.service: failed: exit code 7" in console
    assert "broken.service| the reason" in console
    await machine.shutdown()
    assert "init: power off" in machine.console.read_text()


async def _says(path: Path, text: str) -> bool:
    return text in await asyncio.to_thread(_text, path)


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


async def test_several_machines_boot_at_once_and_reach_each_other(
    machine_os: Path, tmp_path: Path
) -> None:
    names = ("m1", "m2")
    made = [
        machines.a_machine(machine_os, tmp_path, name, 11 + number)
        for number, name in enumerate(names)
    ]
    for one in made:
        one.create(a_config())
    # Twice each, as a supervisor and a command may do at the same time.
    await asyncio.gather(*(one.boot() for one in (*made, *made)))
    await asyncio.gather(*(one.booted() for one in made))
    code, said = await made[0].exec("ping", "-c", "1", "-W", "2", str(machines.NETWORK[12]))
    assert code == 0, said
    await asyncio.gather(*(one.destroy() for one in made))


async def test_root_in_a_machine_has_what_a_node_needs_and_no_more(
    machine_os: Path, tmp_path: Path
) -> None:
    service = unit(
        "caps.service",
        "[Service]\nType=oneshot\nExecStart=/bin/sh -c 'cat /proc/self/status > /var/caps'\n",
    )
    machine = await running(
        machines.a_machine(machine_os, tmp_path), encode(Config(systemd=Systemd(units=(service,))))
    )
    await machines.until("caps", lambda: _says(machine.var / "caps", "Seccomp"))
    _, entered = await machine.exec("cat", "/proc/self/status")
    for status in ((machine.var / "caps").read_text(), entered):
        facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        assert facts["Seccomp"] == "2"
        held = int(facts["CapEff"], 16) | int(facts["CapBnd"], 16)
        assert held & sum(1 << number for number in confine.dropped()) == 0
    for attempt in (
        "echo h > /proc/sysrq-trigger",
        "echo x > /proc/sys/kernel/core_pattern",
        "echo 1 > /sys/kernel/mm/ksm/run",
        "test -s /proc/kallsyms",
        "head -c 1 /proc/kcore | grep -q .",
        "dmesg",
        "insmod /usr/bin/busybox",
        "swapon /var/caps",
    ):
        code, said = await machine.exec("sh", "-c", f"{attempt} 2>/dev/null")
        # Writes that /dev/null takes are as good as refused.
        assert code != 0 or attempt.startswith("echo h"), (attempt, said)
    assert (await machine.exec("sh", "-c", "head -c 9 /dev/kmsg | wc -c"))[1].strip() == "0"


async def test_a_second_boot_follows_no_link_that_root_left_on_the_disk(
    machine_os: Path, tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    victim.mkdir(mode=0o700)
    machine = await running(machines.a_machine(machine_os, tmp_path), a_config())
    await machine.exec(
        "sh",
        "-c",
        f"rm -rf /var/tmp /var/cache; ln -s {victim} /var/tmp; ln -s {victim} /var/cache;"
        f"rm /etc/inittab /etc/hostname; ln -s {victim}/hostname /etc/hostname; sync",
    )
    await machine.reboot()
    await machine.booted()
    assert (await machine.exec("readlink", "/var/cache"))[1].strip() == str(victim)
    assert victim.stat().st_mode & 0o7777 == 0o700
    assert list(victim.iterdir()) == []


async def test_a_machine_whose_own_directory_became_a_link_is_refused_with_a_reason(
    machine_os: Path, tmp_path: Path
) -> None:
    machine = await running(machines.a_machine(machine_os, tmp_path), a_config())
    await machine.kill()
    upper = tmp_path / "m1/disk/root"
    (upper / "tmp").symlink_to("/etc")
    await machine.boot()
    await machine.wait()
    assert machine.status().state is State.STOPPED
    assert "is not a directory" in machine.status().failure
