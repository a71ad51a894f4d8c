"""A kind of object as the API server names it, and the paths under which it is served."""

from dataclasses import dataclass
from urllib.parse import quote


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
            return f"{self.base}/namespaces/{quote(namespace)}/{self.plural}"
        return f"{self.base}/{self.plural}"

    def item(self, name: str, namespace: str = "", subresource: str = "") -> str:
        """The path of one object, or of one of its subresources."""
        if not name:
            raise ValueError(f"a {self.kind} needs a name")
        if self.namespaced and not namespace:
            raise ValueError(f"{self.kind} {name} needs a namespace")
        path = f"{self.collection(namespace)}/{quote(name)}"
        return f"{path}/{subresource}" if subresource else path

    def __str__(self) -> str:
        return f"{self.plural}.{self.group}" if self.group else self.plural
