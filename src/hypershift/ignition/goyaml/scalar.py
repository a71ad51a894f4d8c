"""How go-yaml v2 writes one scalar: which style it takes, and where its lines are folded."""

import itertools
from dataclasses import dataclass

from hypershift.ignition.goyaml.resolve import is_text

WIDTH = 80
LONGEST_KEY = 128
_BREAKS = "\r\n\x85\u2028\u2029"
_BOM = "\ufeff"
_LEADING = "#,[]{}&*!|>'\"%@`"
_ESCAPES = {
    "\0": "0", "\x07": "a", "\x08": "b", "\t": "t", "\n": "n", "\x0b": "v", "\x0c": "f",
    "\r": "r", "\x1b": "e", '"': '"', "\\": "\\", "\x85": "N", "\xa0": "_", "\u2028": "L",
    "\u2029": "P",
}  # fmt: skip


def is_multiline(text: str) -> bool:
    """Whether a text has a line break of any kind."""
    return any(char in _BREAKS for char in text)


def is_printable(char: str) -> bool:
    """What go-yaml leaves unescaped: neither tabs nor anything beyond the basic plane."""
    code = ord(char)
    if code < 0xA0:  # noqa: PLR2004 - the first printable character after ASCII
        return char == "\n" or 0x20 <= code <= 0x7E  # noqa: PLR2004 - printable ASCII
    return code <= 0xFFFD and code != 0xFEFF  # noqa: PLR2004 - BMP without its byte order mark


@dataclass(frozen=True, slots=True)
class AllowedStyles:
    """Which styles a text may take."""

    plain: bool
    single: bool
    block: bool


def allowed_styles(text: str) -> AllowedStyles:
    """Decide by blanks, breaks, indicators and unprintable characters."""
    if not text:
        return AllowedStyles(plain=True, single=True, block=False)
    edges = text[0] in " " + _BREAKS or text[-1] in " " + _BREAKS
    pairs = list(itertools.pairwise(text))
    break_space = any(a in _BREAKS and b == " " for a, b in pairs)
    space_break = any(a == " " and b in _BREAKS for a, b in pairs)
    special = not all(map(is_printable, text))
    barred = space_break or special
    return AllowedStyles(
        plain=not (edges or break_space or barred or is_multiline(text) or _indicates(text)),
        single=not (break_space or barred),
        block=not (barred or text[-1] == " "),
    )


def _indicates(text: str) -> bool:
    """Whether a plain text could be taken for YAML's own signs."""
    if text.startswith(("---", "...")) or text[0] in _LEADING:
        return True
    if text[0] in "?:-" and (len(text) == 1 or text[1] in " \t"):
        return True
    for before, char, after in zip(text, text[1:], [*text[2:], " "], strict=False):
        if char == ":" and after in " \t":
            return True
        if char == "#" and before in " \t" + _BREAKS:
            return True
    return False


class Writer:
    """The text so far and the column, as the emitter of go-yaml tracks them."""

    def __init__(self) -> None:
        """Start at the first column of an empty text."""
        self._parts: list[str] = []
        self._column = 0
        self._blank = True  # whether a word may follow without a blank before it
        self._fresh = True  # whether only indentation stands on this line

    def text(self) -> str:
        return "".join(self._parts)

    def _put(self, char: str) -> None:
        self._parts.append(char)
        self._column += 1

    def _break(self, char: str = "\n") -> None:
        self._parts.append(char)
        self._column = 0

    def start_line(self, indent: int) -> None:
        """Go to an indentation, on a new line unless this one is still empty up to there."""
        if not self._fresh or self._column > indent or (self._column == indent and not self._blank):
            self._break()
        while self._column < indent:
            self._put(" ")
        self._blank = self._fresh = True

    def finish_line(self) -> None:
        """End the document on a line break."""
        self.start_line(0)

    def indicator(self, sign: str) -> None:
        """A sign of a block: it keeps the line fresh, so that a nested block may follow on it."""
        if not self._blank:
            self._put(" ")
        self._put(sign)
        self._blank = False

    def close_key(self) -> None:
        """The colon after a simple key."""
        self._put(":")
        self._blank = self._fresh = False

    def word(self, text: str) -> None:
        """A word that never needs quotes or folding."""
        if not self._blank:
            self._put(" ")
        for char in text:
            self._put(char)
        self._blank = self._fresh = False

    def string(self, text: str, *, indent: int, simple_key: bool = False) -> None:
        """A text in the style that go-yaml chooses for it."""
        allowed = allowed_styles(text)
        if "\n" in text and allowed.block and not simple_key:
            self._literal(text, indent)
        elif "\n" in text or not is_text(text):
            self._double(text, indent, fold=not simple_key)
        elif allowed.plain and (text or not simple_key):
            self._plain(text, indent, fold=not simple_key)
        elif allowed.single:
            self._single(text, indent, fold=not simple_key)
        else:
            self._double(text, indent, fold=not simple_key)

    def _open(self, sign: str) -> None:
        if not self._blank:
            self._put(" ")
        self._put(sign)
        self._blank = self._fresh = False

    def _plain(self, text: str, indent: int, *, fold: bool) -> None:
        if not self._blank:
            self._put(" ")
        spaces = False
        for index, char in enumerate(text):
            if char == " ":
                follows = text[index + 1 : index + 2]
                if fold and not spaces and self._column > WIDTH and follows != " ":
                    self.start_line(indent)
                else:
                    self._put(char)
                spaces = True
            else:
                self._put(char)
                self._fresh = spaces = False
        self._blank = self._fresh = False

    def _single(self, text: str, indent: int, *, fold: bool) -> None:
        self._open("'")
        spaces = breaks = False
        for index, char in enumerate(text):
            if char == " ":
                inner = 0 < index < len(text) - 1 and text[index + 1] != " "
                if fold and not spaces and self._column > WIDTH and inner:
                    self.start_line(indent)
                else:
                    self._put(char)
                spaces = True
            elif char in _BREAKS:
                self._break(char)
                self._fresh = breaks = True
            else:
                if breaks:
                    self.start_line(indent)
                self._put(char)
                if char == "'":
                    self._put(char)
                self._fresh = spaces = breaks = False
        self._put("'")
        self._blank = self._fresh = False

    def _double(self, text: str, indent: int, *, fold: bool) -> None:
        self._open('"')
        spaces = False
        # A leading byte order mark makes go-yaml escape every character after it as well.
        marked = text.startswith(_BOM)
        for index, char in enumerate(text):
            if marked or not is_printable(char) or char in _BREAKS + '"\\':
                for sign in _escape(char):
                    self._put(sign)
                spaces = False
            elif char == " ":
                inner = 0 < index < len(text) - 1
                if fold and not spaces and self._column > WIDTH and inner:
                    self.start_line(indent)
                    if text[index + 1] == " ":
                        self._put("\\")
                else:
                    self._put(char)
                spaces = True
            else:
                self._put(char)
                spaces = False
        self._put('"')
        self._blank = self._fresh = False

    def _literal(self, text: str, indent: int) -> None:
        self._open("|")
        for sign in _hints(text):
            self._put(sign)
        self._break()
        self._fresh = self._blank = breaks = True
        for char in text:
            if char in _BREAKS:
                self._break(char)
                self._fresh = breaks = True
            else:
                if breaks:
                    self.start_line(indent)
                self._put(char)
                self._fresh = breaks = False


def _hints(text: str) -> str:
    """The indentation and chomping signs of a block scalar."""
    indent = "2" if text[0] in " " + _BREAKS else ""
    if text[-1] not in _BREAKS:
        return indent + "-"
    return indent + ("+" if len(text) == 1 or text[-2] in _BREAKS else "")


def _escape(char: str) -> str:
    if char in _ESCAPES:
        return "\\" + _ESCAPES[char]
    code = ord(char)
    if code <= 0xFF:  # noqa: PLR2004 - one byte
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"  # noqa: PLR2004 - BMP
