"""The rows of the table of support, and how to write one."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from hypershift.platforms import PLATFORMS
from hypershift.release import Product

#: Platforms whose HostedClusters this operator can host.
HOSTED = tuple(sorted(name for name, each in PLATFORMS.items() if each.cluster is not None))


class Status(StrEnum):
    """What becomes of a setting."""

    HONOURED = "honoured"
    #: The operator stops the object's pass and reports why.
    REFUSED = "refused"
    #: The object works without the setting; a condition names it.
    IGNORED = "ignored"
    #: The setting changes nothing that anybody could miss.
    HARMLESS = "harmless"


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """One row: it holds for a path and everything below it; the most specific row wins."""

    #: Wire names with dots below `spec`, or the name of an annotation.
    path: str
    status: Status
    #: HONOURED: who reads it. HARMLESS: why it is not needed. Otherwise: what the user must know.
    text: str
    #: None holds for both.
    product: Product | None = None
    #: None holds for all.
    platforms: frozenset[str] | None = None
    #: Values that are as good as none: they ask for nothing, or for what happens anyway.
    allows: frozenset[str] = frozenset()
    #: The API refuses changes after creation.
    fixed: bool = False

    def holds_for(self, product: Product | None, platform: str) -> bool:
        """Whether the row speaks about such a cluster; an unknown product has common rows alone."""
        right_product = self.product is None or self.product is product
        return right_product and (self.platforms is None or platform in self.platforms)

    @property
    def weight(self) -> int:
        """How specific the row is among those of the same path."""
        return (self.product is not None) + 2 * (self.platforms is not None)


def honoured(
    by: str,
    *paths: str,
    product: Product | None = None,
    platforms: Iterable[str] | None = None,
) -> tuple[Support, ...]:
    """Rows of what a component or controller reads."""
    chosen = None if platforms is None else frozenset(platforms)
    like = Support(path="", status=Status.HONOURED, text=by, product=product, platforms=chosen)
    return _rows(paths, like)


def harmless(why: str, *paths: str, product: Product | None = None) -> tuple[Support, ...]:
    """Rows of fields that no program reads and no user needs."""
    return _rows(paths, Support(path="", status=Status.HARMLESS, text=why, product=product))


def refused(
    path: str,
    why: str,
    product: Product | None = Product.KUBERNETES,
    *,
    allows: Iterable[str] = (),
    fixed: bool = False,
    platforms: Iterable[str] | None = None,
) -> Support:
    """A row of what the operator refuses; `why` is the advice for the user."""
    return Support(
        path=path,
        status=Status.REFUSED,
        text=why,
        product=product,
        allows=frozenset(allows),
        fixed=fixed,
        platforms=None if platforms is None else frozenset(platforms),
    )


def ignored(
    path: str, why: str, product: Product | None = None, *, allows: Iterable[str] = ()
) -> Support:
    """A row of what has no effect; the condition IgnoredSettings names it."""
    return Support(
        path=path, status=Status.IGNORED, text=why, product=product, allows=frozenset(allows)
    )


def _rows(paths: Iterable[str], like: Support) -> tuple[Support, ...]:
    return tuple(
        Support(
            path=path,
            status=like.status,
            text=like.text,
            product=like.product,
            platforms=like.platforms,
        )
        for path in paths
    )
