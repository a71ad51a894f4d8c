import subprocess
from pathlib import Path

import pytest

from hypershift.local.machine.init import scripts
from hypershift.local.machine.units import Service, UnitError, parse


def services(**texts: str) -> tuple[Service, ...]:
    return tuple(parse(f"{name}.service", text) for name, text in texts.items())


A = "[Service]\nExecStart=/bin/sleep 1\nRestart=always\n"


def test_every_script_is_one_that_a_shell_can_read(tmp_path: Path) -> None:
    oneshot = "[Service]\nType=oneshot\nEnvironmentFile=-/etc/x\nExecStart=/bin/a 'b c' ${D}\n"
    full = (
        "[Unit]\nAfter=a.service\nRequires=a.service missing.service\n"
        'ConditionPathExists=!/etc/no\n[Service]\nEnvironment="A=b c" D=e\n'
        "ExecStartPre=-/bin/false\nExecStart=/bin/a\nExecStartPost=/bin/b\nExecStop=/bin/c\n"
        "RuntimeDirectory=x\nRestart=on-failure\n"
    )
    for name, text in scripts(services(a=A, b=oneshot, c=full)).items():
        if name != "inittab":
            path = tmp_path / "script"
            path.write_text(text)
            subprocess.run(["/bin/sh", "-n", path], check=True)


def test_containers_end_between_their_kubelet_and_their_runtime() -> None:
    text = scripts(services(containerd=A, kubelet=A))["rc.shutdown"]
    kubelet, pods = text.index("stop kubelet.service"), text.index("kubepods")
    assert kubelet < pods < text.index("stop containerd.service")


def test_a_service_waits_for_those_that_run_and_not_for_others() -> None:
    text = "[Unit]\nAfter=a.service network-online.target\n[Service]\nExecStart=/bin/b\n"
    script = scripts(services(a=A, b=text))["units/b.service.run"]
    assert "await a.service" in script
    assert "network-online" not in script


def test_a_service_without_a_command_or_with_an_unknown_policy_is_refused() -> None:
    with pytest.raises(UnitError, match="exactly one ExecStart"):
        scripts(services(a="[Service]\nType=simple\n"))
    with pytest.raises(UnitError, match="Restart=sometimes"):
        scripts(services(a="[Service]\nExecStart=/bin/a\nRestart=sometimes\n"))
