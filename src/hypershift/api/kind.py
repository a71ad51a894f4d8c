"""What makes a shape a kind: its group, names, columns, subresources and where it is installed."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, TypeVar

from hypershift.api.meta import ObjectMeta
from hypershift.api.shape import Field, Shape


class Cluster(StrEnum):
    """Which API server serves a kind."""

    MANAGEMENT = "management"
    HOSTED = "hosted"


class Profile(StrEnum):
    """The cluster profiles a manifest may be included in, by the annotation that says so."""

    HYPERSHIFT = "ibm-cloud-managed"
    SELF_MANAGED = "self-managed-high-availability"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of `kubectl get`; priority 1 shows with `-o wide` alone."""

    name: str
    path: str
    description: str = ""
    type: str = "string"
    priority: int = 0


def condition_column(
    name: str, condition: str, description: str = "", *, part: str = "status", priority: int = 0
) -> Column:
    """A column that shows one condition's status or message."""
    path = f'.status.conditions[?(@.type=="{condition}")].{part}'
    return Column(name, path, description, priority=priority)


#: When the object was created, as a span of time.
AGE = Column("Age", ".metadata.creationTimestamp", type="date")


@dataclass(frozen=True, slots=True)
class Scale:
    """Where `kubectl scale` finds the wanted and the present number of replicas."""

    spec_path: str
    status_path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """How a shape is served; name and description come from the class.

    `gated` kinds have one manifest per feature set; `gate` names the one without which the kind
    does not exist at all. `contract` maps Cluster API contract versions to ours, as labels.
    """

    group: str
    version: str
    plural: str
    name: str = ""
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    namespaced: bool = True
    status: bool = True
    scale: Scale | None = None
    columns: tuple[Column, ...] = ()
    gated: bool = False
    gate: str = ""
    profiles: tuple[Profile, ...] = ()
    cluster: Cluster = Cluster.MANAGEMENT
    contract: tuple[tuple[str, str], ...] = ()
    description: str = ""

    @property
    def api_version(self) -> str:
        """Group and version as manifests write them."""
        return f"{self.group}/{self.version}"

    @property
    def crd_name(self) -> str:
        """The name of the CustomResourceDefinition."""
        return f"{self.plural}.{self.group}"


class Resource(Shape):
    """What every object of ours begins with."""

    api_version: Annotated[
        str,
        Field(
            "Group and version of this object's schema, for example"
            " `hypershift.openshift.io/v1beta1`."
        ),
    ] = ""
    kind: Annotated[
        str,
        Field(
            "The kind of object, in CamelCase; it decides which fields are known. Never changes."
        ),
    ] = ""
    metadata: Annotated[
        ObjectMeta,
        Field(
            "Name, namespace, labels, annotations and the other facts that every object carries.",
        ),
    ] = ObjectMeta()


_KINDS: dict[type, Kind] = {}
R = TypeVar("R", bound=type)


def served(kind: Kind) -> Callable[[R], R]:
    """Declare that a shape is served by the API server as this kind."""

    def keep(shape: R) -> R:
        text = " ".join((shape.__doc__ or "").split())
        _KINDS[shape] = replace(kind, name=kind.name or shape.__name__, description=text)
        return shape

    return keep


def kind_of(shape: type) -> Kind:
    """How a shape is served."""
    return _KINDS[shape]
