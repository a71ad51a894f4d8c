"""The program of device rules, run step by step; test_machine_root.py has the kernel run it."""

import struct

from hypothesis import given
from hypothesis import strategies as st

from hypershift.local.machine.cgroup.devices import ALLOWED, encoded, program, rows

BLOCK, CHARACTER = 1, 2


def answer(kind: int, access: int, major: int, minor: int) -> int:
    """What the program returns for an attempt."""
    context = struct.pack("=III", access << 16 | kind, major, minor)
    registers, at = [0] * 11, 0
    code = encoded(program())
    instructions = [struct.unpack_from("=BBhi", code, place) for place in range(0, len(code), 8)]
    for _ in range(1000):
        operation, names, offset, value = instructions[at]
        target, source = names & 15, names >> 4
        at += 1
        match operation:
            case 0x61:
                assert source == 1
                registers[target] = struct.unpack_from("=I", context, offset)[0]
            case 0x54:
                registers[target] &= value
            case 0x55:
                at += offset if registers[target] != value else 0
            case 0xB7:
                registers[target] = value
            case 0x95:
                return registers[0]
            case _:
                raise AssertionError(operation)
    raise AssertionError("no end")


@given(
    st.sampled_from((BLOCK, CHARACTER)),
    st.integers(1, 7),
    st.one_of(st.sampled_from((1, 5, 136)), st.integers(0, 4095)),
    st.one_of(st.integers(0, 12), st.integers(0, 2**20 - 1)),
)
def test_character_devices_of_the_list_are_allowed_and_nothing_else(
    kind: int, access: int, major: int, minor: int
) -> None:
    listed = (major, minor) in ALLOWED or (major, None) in ALLOWED
    assert answer(kind, access, major, minor) == int(kind == CHARACTER and listed)


def test_version_1_is_given_the_same_list() -> None:
    listed = list(rows())
    assert (listed[0], listed[-1]) == ("c 1:3 rwm", "c 136:* rwm")
    assert len(listed) == len(ALLOWED)
