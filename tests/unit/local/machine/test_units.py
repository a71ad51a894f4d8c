from pathlib import Path

import pytest

from hypershift.local.machine.units import Kind, UnitError, enabled_services, parse, seconds


def unit(root: Path, name: str, text: str, place: str = "etc/systemd/system") -> None:
    path = root / place / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def preset(root: Path, *lines: str) -> None:
    unit(root, "20.preset", "\n".join(lines) + "\n", "etc/systemd/system-preset")


def names(root: Path) -> list[str]:
    return [service.name for service in enabled_services(root)]


def test_only_enabled_units_start(tmp_path: Path) -> None:
    unit(tmp_path, "a.service", "[Service]\nExecStart=/bin/a\n")
    unit(tmp_path, "b.service", "[Service]\nExecStart=/bin/b\n")
    preset(tmp_path, "enable a.service", "disable b.service")
    assert names(tmp_path) == ["a.service"]


def test_services_start_after_those_they_name_and_those_before_them(tmp_path: Path) -> None:
    unit(tmp_path, "a.service", "[Unit]\nAfter=c.service\n[Service]\nExecStart=/bin/a\n")
    unit(tmp_path, "b.service", "[Unit]\nBefore=c.service\n[Service]\nExecStart=/bin/b\n")
    unit(tmp_path, "c.service", "[Service]\nExecStart=/bin/c\n")
    preset(tmp_path, "enable a.service", "enable b.service", "enable c.service")
    services = enabled_services(tmp_path)
    assert [service.name for service in services] == ["b.service", "c.service", "a.service"]
    assert services[1].after == ("b.service",)


def test_units_that_wait_for_each_other_are_refused(tmp_path: Path) -> None:
    unit(tmp_path, "a.service", "[Unit]\nAfter=b.service\n[Service]\nExecStart=/bin/a\n")
    unit(tmp_path, "b.service", "[Unit]\nAfter=a.service\n[Service]\nExecStart=/bin/b\n")
    preset(tmp_path, "enable a.service", "enable b.service")
    with pytest.raises(UnitError, match="wait for each other"):
        enabled_services(tmp_path)


def test_what_a_unit_wants_is_started_with_it(tmp_path: Path) -> None:
    unit(tmp_path, "a.service", "[Unit]\nWants=b.service\n[Service]\nExecStart=/bin/a\n")
    unit(tmp_path, "b.service", "[Service]\nExecStart=/bin/b\n", "usr/lib/systemd/system")
    preset(tmp_path, "enable a.service")
    assert set(names(tmp_path)) == {"a.service", "b.service"}


def test_a_masked_unit_never_starts(tmp_path: Path) -> None:
    unit(tmp_path, "a.service", "[Service]\nExecStart=/bin/a\n", "usr/lib/systemd/system")
    place = tmp_path / "etc/systemd/system"
    place.mkdir(parents=True)
    (place / "a.service").symlink_to("/dev/null")
    preset(tmp_path, "enable a.service")
    assert names(tmp_path) == []


def test_dropins_add_and_reset_in_the_order_of_their_names(tmp_path: Path) -> None:
    unit(tmp_path, "a.service", "[Service]\nExecStart=/bin/a\nEnvironment=A=1\n")
    unit(tmp_path, "a.service.d/20.conf", "[Service]\nEnvironment=C=3\n")
    unit(
        tmp_path,
        "a.service.d/10.conf",
        "[Service]\nExecStart=\nExecStart=/bin/b\nEnvironment=B=2\n",
    )
    preset(tmp_path, "enable a.service")
    (service,) = enabled_services(tmp_path)
    assert service.start == ("/bin/b",)
    assert service.environment == ("A=1", "B=2", "C=3")


def test_continued_lines_are_one_and_comments_are_none() -> None:
    text = "[Service]\n# a comment\nExecStart=/bin/a \\\n  --one \\\n; in between\n  --two\n"
    assert parse("a.service", text).start[0].split() == ["/bin/a", "--one", "--two"]


def test_a_unit_says_what_it_is() -> None:
    text = (
        "[Service]\nType=oneshot\nExecStart=/bin/a\nExecStart=/bin/b\nRestart=on-failure\n"
        "RestartSec=5\nWorkingDirectory=/srv\nKillSignal=SIGINT\nRemainAfterExit=yes\n"
    )
    service = parse("a.service", text)
    assert service.kind is Kind.ONESHOT
    assert service.start == ("/bin/a", "/bin/b")
    assert (service.restart, service.restart_seconds) == ("on-failure", 5.0)
    assert (service.working_directory, service.kill_signal) == ("/srv", "INT")


def test_a_directive_that_is_not_followed_is_named() -> None:
    service = parse("a.service", "[Service]\nExecStart=/bin/a\nPrivateTmp=yes\nSlice=x.slice\n")
    assert service.surprises == ("PrivateTmp",)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.timer", "[Timer]\nOnCalendar=daily\n"),
        ("a.service", "[Service]\nType=forking\nExecStart=/bin/a\n"),
        ("a.service", "[Service]\nUser=core\nExecStart=/bin/a\n"),
        ("a.service", "[Service]\nExecStart\n"),
        ("a.service", "[Service]\nExecStart=/bin/a\nRestartSec=soon\n"),
    ],
)
def test_what_a_machine_cannot_run_is_refused_by_name(name: str, text: str) -> None:
    with pytest.raises(UnitError):
        parse(name, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("5", 5.0), ("100ms", 0.1), ("1min 30s", 90.0), ("infinity", float("inf")), ("2h", 7200.0)],
)
def test_time_spans_are_read_as_systemd_does(text: str, expected: float) -> None:
    assert seconds(text) == pytest.approx(expected)
