"""A kind of object as the API server names it, and the paths under which it is served."""

from dataclasses import dataclass
from urllib.parse import quote

from hypershift.kit import InvalidSpec


class NotAName(InvalidSpec, ValueError):
    """A text that no object can have as its name, and that would change the path of a request."""


@dataclass(frozen=True, slots=True)
class Resource:
    """One served kind: `Resource("apps", "v1", "deployments", "Deployment")`."""

    group: str
    version: str
    plural: str
    kind: str
    namespaced: bool = True

    @property
    def api_version(self) -> str:
        """What an object of this kind carries as `apiVersion`."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def base(self) -> str:
        """The path of the kind's group and version."""
        return f"/apis/{self.group}/{self.version}" if self.group else f"/api/{self.version}"

    def collection(self, namespace: str = "") -> str:
        """The path of all objects of this kind, in one namespace or everywhere."""
        if namespace and self.namespaced:
            return f"{self.base}/namespaces/{_segment(namespace)}/{self.plural}"
        return f"{self.base}/{self.plural}"

    def item(self, name: str, namespace: str = "", subresource: str = "") -> str:
        """The path of one object, or of one of its subresources."""
        if not name:
            raise NotAName(f"a {self.kind} needs a name")
        if self.namespaced and not namespace:
            raise ValueError(f"{self.kind} {name} needs a namespace")
        path = f"{self.collection(namespace)}/{_segment(name)}"
        return f"{path}/{subresource}" if subresource else path

    def __str__(self) -> str:
        return f"{self.plural}.{self.group}" if self.group else self.plural


def _segment(name: str) -> str:
    """A name as one segment of a path.

    Quoting is not enough: an API server decodes `%2F` before it splits the path, and proxies
    resolve `..`. Kubernetes refuses objects of these names too.
    """
    if name in (".", "..") or "/" in name or "\x00" in name:
        raise NotAName(f"{name[:253]!r} cannot be the name of an object")
    return quote(name, safe="")
