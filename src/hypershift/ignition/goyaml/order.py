"""The order of map keys in go-yaml v2: letters after signs, runs of digits by their number."""

from functools import cmp_to_key

_WRAP = 2**64
_HALF = 2**63


def _less(left: str, right: str) -> bool:
    for index in range(min(len(left), len(right))):
        ours, theirs = left[index], right[index]
        if ours == theirs:
            continue
        if ours.isalpha() and theirs.isalpha():
            return ours < theirs
        if ours.isalpha() or theirs.isalpha():
            return theirs.isalpha()
        return _numbers_less(left, right, index)
    return len(left) < len(right)


def _numbers_less(left: str, right: str, index: int) -> bool:
    """Compare the numbers that begin at an index where the texts differ, leading zeros last."""
    start = _start(left, right, index)
    (our_number, our_end), (their_number, their_end) = (
        _digits(left, index, start),
        _digits(right, index, start),
    )
    if our_number != their_number:
        return our_number < their_number
    if our_end != their_end:
        return our_end < their_end
    return left[index] < right[index]


def _start(left: str, right: str, index: int) -> int:
    """One when digits before the difference already count, so that a zero there has weight."""
    if "0" not in (left[index], right[index]):
        return 0
    before = index - 1
    while before >= 0 and left[before].isdecimal():
        if left[before] != "0":
            return 1
        before -= 1
    return 0


def _digits(text: str, index: int, value: int) -> tuple[int, int]:
    """The number from an index on, in Go's wrapping 64 bits, and where it ends."""
    while index < len(text) and text[index].isdecimal():
        # Wrapped at each step: a number of 10^5 digits must not take 10^10 steps.
        value = (value * 10 + (ord(text[index]) - ord("0"))) % _WRAP
        index += 1
    return (value + _HALF) % _WRAP - _HALF, index


def _compared(left: str, right: str) -> int:
    return -1 if _less(left, right) else int(_less(right, left))


#: Sort key of go-yaml's map keys. The order is not transitive (a10 < a1a < a2 < a10), and Go's
#: sort starts from a random order there; ours is at least the same every time.
natural = cmp_to_key(_compared)
