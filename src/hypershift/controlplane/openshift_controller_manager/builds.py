"""How builds are made, as the guest's administrators configure them."""

from typing import Any

from hypershift.component import View, observed

#: What the controllers call a proxy for sources, and what the guest's administrators call it.
GIT_PROXY = {
    "gitHTTPProxy": "httpProxy",
    "gitHTTPSProxy": "httpsProxy",
    "gitNoProxy": "noProxy",
}


def builds(view: View) -> dict[str, Any]:
    """The defaults of builds, and what replaces what a build asks for; absent when unset."""
    said = observed.spec(view, "build")
    found = {
        "buildDefaults": defaults(_part(said, "buildDefaults")),
        "buildOverrides": overrides(_part(said, "buildOverrides")),
    }
    return {name: value for name, value in found.items() if value}


def defaults(said: dict[str, Any]) -> dict[str, Any]:
    """What a build gets that asks for nothing else."""
    resources = _part(said, "resources")
    found = {
        "env": said.get("env"),
        "imageLabels": said.get("imageLabels"),
        "resources": resources if resources.get("limits") or resources.get("requests") else None,
    }
    if said.get("gitProxy") is not None:
        proxy = _part(said, "defaultProxy")
        found |= {name: proxy.get(own) for name, own in GIT_PROXY.items()}
    return {name: value for name, value in found.items() if value}


def overrides(said: dict[str, Any]) -> dict[str, Any]:
    """Settings that override those of a build."""
    names = ("imageLabels", "nodeSelector", "tolerations")
    found = {name: said[name] for name in names if said.get(name)}
    if said.get("forcePull") is not None:
        found["forcePull"] = said["forcePull"]
    return found


def _part(said: dict[str, Any], name: str) -> dict[str, Any]:
    found = said.get(name)
    return found if isinstance(found, dict) else {}
