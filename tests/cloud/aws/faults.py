"""What goes wrong between a client and AWS, chosen by a seed."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

_EC2 = (
    "<Response><Errors><Error><Code>{code}</Code><Message>fault</Message></Error></Errors>"
    "<RequestID>0</RequestID></Response>"
)
_REST = "<ErrorResponse><Error><Code>{code}</Code><Message>fault</Message></Error></ErrorResponse>"
#: Kinds of faults by what AWS answers: status, code, and whether the call took effect before.
KINDS = {
    "throttled": (503, "RequestLimitExceeded", False),
    "failed": (500, "InternalError", False),
    "lost": (500, "InternalError", True),
    "expired": (403, "ExpiredToken", False),
    "denied": (403, "UnauthorizedOperation", False),
    "quota": (400, "AddressLimitExceeded", False),
}
PASSING = ("throttled", "failed", "lost")


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault."""

    kind: str

    def answer(self, environ: dict[str, Any], start_response: Any, app: Any) -> list[bytes]:
        status, code, takes_effect = KINDS[self.kind]
        if takes_effect:
            for _ in app(environ, lambda *_args, **_more: None):
                pass
        form = _EC2 if "ec2" in environ.get("HTTP_AUTHORIZATION", "") else _REST
        text = form.format(code=code).encode()
        headers = [("Content-Type", "text/xml"), ("Content-Length", str(len(text)))]
        start_response(f"{status} fault", headers)
        return [text]


@dataclass(slots=True)
class Faults:
    """Faults of one schedule: passing ones by chance, and at most one that ends the run."""

    rng: Random
    rate: float = 0.0
    #: Number of the request that meets a fault which repeating does not cure.
    fatal_at: int = 0
    fatal: str = "expired"
    only: str = ""
    seen: int = field(default=0)

    @classmethod
    def none(cls) -> "Faults":
        return cls(Random(0))  # noqa: S311

    @classmethod
    def of(cls, seed: int) -> "Faults":
        rng = Random(seed)  # noqa: S311
        fatal_at = rng.choice((0, rng.randrange(1, 120)))
        return cls(rng, rng.choice((0.01, 0.03, 0.06)), fatal_at, rng.choice(("expired", "denied")))

    def next(self, name: str) -> Fault | None:
        self.seen += 1
        if self.only:
            return Fault(self.fatal) if name == self.only else None
        if self.fatal_at and self.seen == self.fatal_at:
            return Fault(self.fatal)
        if self.rate and self.rng.random() < self.rate:
            return Fault(self.rng.choice(PASSING))
        return None
