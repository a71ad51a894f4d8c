from hypershift.local.machine.mounts import meminfo

HOST = (
    "MemTotal:       24682416 kB\nMemFree:        20000000 kB\nMemAvailable:     100000 kB\n"
    "Buffers:            1000 kB\nSwapTotal:         10000 kB\nSwapFree:           9000 kB\n"
)


def test_a_machine_sees_its_limit_for_its_memory() -> None:
    lines = dict(line.split(":") for line in meminfo(HOST, 1 << 30).splitlines())
    assert lines["MemTotal"].split() == ["1048576", "kB"]
    assert lines["MemFree"].split() == ["1048576", "kB"]
    assert lines["MemAvailable"].split() == ["100000", "kB"]
    assert lines["SwapTotal"].split() == ["0", "kB"]
    assert lines["Buffers"].split() == ["1000", "kB"]


def test_a_limit_above_the_hosts_memory_shows_the_host() -> None:
    assert "24682416 kB" in meminfo(HOST, 1 << 40)
