"""Conditions of many machines as one reason and one message of bounded length."""

from collections.abc import Callable, Sequence

from hypershift.kit import Manifest

#: Why a machine is not as it should be: reason and message; None when it is.
Why = Callable[[Manifest], tuple[str, str] | None]
#: A message without content.
EMPTY = "\0"

_PER_REASON, _TOTAL, _REASON = 1000, 3000, 1024
_MORE = "... too many similar errors\n"
_CUT = "... message truncated\n"
_MORE_REASONS = ",ReasonsTruncated"


def _size(text: str) -> int:
    """Limits are in bytes."""
    return len(text.encode())


def summarized(failing: Sequence[tuple[str, str, str]], every: int, word: str) -> tuple[str, str]:
    """Reason and message for machines that fail, each given as name, reason and message."""
    text = f"{len(failing)} of {every} machines are not {word}\n"
    reasons = sorted({reason for _, reason, _ in failing})
    for reason in reasons:
        block = _block(sorted(_line(*one) for one in failing if one[1] == reason))
        if _size(text) + _size(block) + _size(_CUT) > _TOTAL:
            text += _CUT
            break
        text += block
    return _joined(reasons), text


def _line(name: str, reason: str, message: str) -> str:
    end = f": {message.removeprefix(EMPTY)}" if message else ""
    return f"Machine {name}: {reason}{end}\n"


def _block(lines: Sequence[str]) -> str:
    text = ""
    for line in lines:
        if _size(text) + _size(line) > _PER_REASON:
            return text + _MORE
        text += line
    return text


def _joined(reasons: Sequence[str]) -> str:
    joined = ",".join(reasons)
    if _size(joined) <= _REASON:
        return joined
    text = ""
    for number, reason in enumerate(reasons):
        separator = "," if number else ""
        if _size(text) + _size(separator) + _size(reason) + _size(_MORE_REASONS) > _REASON:
            return text + _MORE_REASONS
        text += separator + reason
    return text
