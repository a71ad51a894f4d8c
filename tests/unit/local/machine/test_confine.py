import errno
from collections.abc import Sequence

import pytest

from hypershift.local.machine import confine
from hypershift.local.machine.confine import ARM64, I386, KEPT, REFUSED, X86_64, Instruction

ALLOWED = 0x7FFF0000
EPERM = 0x00050000 | errno.EPERM
ENOSYS = 0x00050000 | errno.ENOSYS


def verdict(program: Sequence[Instruction], architecture: int, number: int) -> int:
    """What the kernel would decide: classic BPF, in the four instructions that we use."""
    at, held = 0, 0
    while True:
        code, when_true, when_false, value = program[at]
        at += 1
        match code:
            case 0x20:
                held = {0: number, 4: architecture}[value]
            case 0x15:
                at += when_true if held == value else when_false
            case 0x35:
                at += when_true if held >= value else when_false
            case _:
                return value


@pytest.mark.parametrize("name", REFUSED)
def test_a_call_on_the_whole_host_is_refused_under_each_of_its_numbers(name: str) -> None:
    columns = (("x86_64", X86_64), ("x86_64", I386), ("aarch64", ARM64))
    for (machine, architecture), number in zip(columns, REFUSED[name], strict=True):
        if number is not None:
            assert verdict(confine.program(machine), architecture, number) == EPERM


def test_every_other_call_is_allowed() -> None:
    numbers = {row[0] for row in REFUSED.values()}
    program = confine.program("x86_64")
    for number in range(500):
        expected = EPERM if number in numbers else ALLOWED
        assert verdict(program, X86_64, number) == expected


def test_calls_in_other_sets_of_numbers_do_not_exist() -> None:
    program = confine.program("x86_64")
    assert verdict(program, X86_64, 0x40000000 + 1) == ENOSYS
    assert verdict(program, ARM64, 1) == ENOSYS
    assert verdict(confine.program("aarch64"), 0x40000028, 1) == ENOSYS


def test_runc_may_load_its_device_rules_where_they_are_programs() -> None:
    program = confine.program("x86_64", frozenset({"bpf"}))
    assert verdict(program, X86_64, REFUSED["bpf"][0]) == ALLOWED
    assert verdict(program, X86_64, REFUSED["init_module"][0]) == EPERM


@pytest.mark.parametrize(
    ("name", "number"),
    [("DAC_READ_SEARCH", 2), ("LINUX_IMMUTABLE", 9), ("SYS_MODULE", 16), ("SYS_RAWIO", 17),
     ("SYS_TIME", 25), ("AUDIT_CONTROL", 30), ("MAC_ADMIN", 33), ("SYSLOG", 34),
     ("WAKE_ALARM", 35), ("PERFMON", 38), ("BPF", 39)],
)  # fmt: skip
def test_no_process_of_a_machine_has_power_over_the_host(name: str, number: int) -> None:
    assert name not in KEPT
    assert number in confine.dropped()
