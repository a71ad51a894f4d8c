"""bcrypt, by which OpenShift's OAuth server checks the first administrator's password.

Blowfish starts from the binary digits of pi and mixes key and salt into its tables 2^cost times.
Python takes about 5 ms for each mixing. A random password does not need more: cost slows down
guessing, and nobody guesses 110 random bits.
"""

import struct
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from hmac import compare_digest

ROUNDS, BOXES, ENTRIES = 16, 4, 256
SALT_BYTES, HASH_BYTES, LONGEST = 16, 23, 72
#: The smallest cost that verifiers take, and the largest that a pass can wait for here.
COST, MOST = 4, 6
_TEXT = b"OrpheanBeholderScryDoubt"
_ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_WORD = 0xFFFFFFFF


def hashed(password: bytes, salt: bytes, cost: int = COST) -> str:
    """The hash of a password, as `$2a$COST$SALT HASH` without the blank."""
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes")
    key = (password + b"\0")[:LONGEST]
    state = _State()
    state.expand(salt, key)
    for _ in range(1 << cost):
        state.expand(b"", key)
        state.expand(b"", salt)
    words = list(struct.unpack(">6I", _TEXT))
    for at in range(0, len(words), 2):
        left, right = words[at], words[at + 1]
        for _ in range(64):
            left, right = state.encrypt(left, right)
        words[at : at + 2] = left, right
    made = struct.pack(">6I", *words)[:HASH_BYTES]
    return f"$2a${cost:02}${_encode(salt)}{_encode(made)}"


@lru_cache(maxsize=1024)
def matches(found: str, password: bytes) -> bool:
    """True if `found` is the hash of a password; what costs too much to check is not."""
    head, salt = found[:7], _decode(found[7:29])
    if head[:4] not in {"$2a$", "$2b$", "$2y$"} or salt is None or not head[4:6].isdigit():
        return False
    cost = int(head[4:6])
    if not COST <= cost <= MOST:
        return False
    return compare_digest(hashed(password, salt, cost)[4:], found[4:])


class _State:
    """Blowfish's tables; `expand` mixes a key into them."""

    def __init__(self) -> None:
        digits = _pi()
        self.subkeys = list(digits[: ROUNDS + 2])
        rest = digits[ROUNDS + 2 :]
        self.boxes = [list(rest[ENTRIES * box : ENTRIES * (box + 1)]) for box in range(BOXES)]

    def expand(self, salt: bytes, key: bytes) -> None:
        """Mix a key in, and the salt where there is one."""
        words = _endless(key)
        self.subkeys = [each ^ next(words) for each in self.subkeys]
        grains = _endless(salt) if salt else None
        left = right = 0
        for table in (self.subkeys, *self.boxes):
            for at in range(0, len(table), 2):
                if grains is not None:
                    left, right = left ^ next(grains), right ^ next(grains)
                left, right = self.encrypt(left, right)
                table[at], table[at + 1] = left, right

    def encrypt(self, left: int, right: int) -> tuple[int, int]:
        """Encrypt one block of two words."""
        first, second, third, fourth = self.boxes
        keys = self.subkeys
        for at in range(0, ROUNDS, 2):
            left ^= keys[at]
            mixed = (first[left >> 24] + second[left >> 16 & 255]) ^ third[left >> 8 & 255]
            right ^= (mixed + fourth[left & 255]) & _WORD
            right ^= keys[at + 1]
            mixed = (first[right >> 24] + second[right >> 16 & 255]) ^ third[right >> 8 & 255]
            left ^= (mixed + fourth[right & 255]) & _WORD
        return right ^ keys[ROUNDS + 1], left ^ keys[ROUNDS]


def _endless(key: bytes) -> Iterator[int]:
    """Yield the key as words of four bytes, again and again."""
    whole = key * 4
    words = struct.unpack(f">{len(key)}I", whole)
    while True:
        yield from words


@cache
def _pi() -> Sequence[int]:
    """The fraction of pi in words of 32 bits, by Machin's formula."""
    count = ROUNDS + 2 + BOXES * ENTRIES
    bits, guard = 32 * count, 64
    one = 1 << (bits + guard)

    def arctan(inverse: int) -> int:
        total = power = one // inverse
        divisor, sign = 3, -1
        while power:
            power //= inverse * inverse
            total += sign * (power // divisor)
            divisor, sign = divisor + 2, -sign
        return total

    fraction = (4 * (4 * arctan(5) - arctan(239)) - 3 * one) >> guard
    return struct.unpack(f">{count}I", fraction.to_bytes(4 * count, "big"))


def _encode(data: bytes) -> str:
    """Base 64 in bcrypt's own alphabet and without padding."""
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 6)
    return "".join(_ALPHABET[int(bits[at : at + 6], 2)] for at in range(0, len(bits), 6))


def _decode(text: str) -> bytes | None:
    """The salt of a hash; None when the text is none."""
    if len(text) != -(-SALT_BYTES * 8 // 6) or any(sign not in _ALPHABET for sign in text):
        return None
    bits = "".join(f"{_ALPHABET.index(sign):06b}" for sign in text)
    return bytes(int(bits[at : at + 8], 2) for at in range(0, SALT_BYTES * 8, 8))
