"""The default catalogs of operators: which image has the index of each."""

from hypershift.release.versions import Version

REGISTRY, FOLDER = "registry.redhat.io", "redhat"
INDEXES = {
    "certified-operators": "certified-operator-index",
    "community-operators": "community-operator-index",
    "redhat-operators": "redhat-operator-index",
}
#: The newest line that has indexes: newer releases use those.
NEWEST = (4, 22)


def indexes(version: Version, told: str) -> dict[str, str]:
    """The index of each catalog for a release, from the registries that an annotation names."""
    line = min((version.major, version.minor), NEWEST)
    tag = f"v{line[0]}.{line[1]}"
    return {name: f"{registry(told)}/{index}:{tag}" for name, index in INDEXES.items()}


def registry(told: str) -> str:
    """Where indexes are pulled from: `SOURCE=MIRROR,...` may name the registry or its folder."""
    pairs = dict(pair.split("=", 1) for pair in told.split(",") if "=" in pair)
    if folder := pairs.get(f"{REGISTRY}/{FOLDER}"):
        return folder
    mirror = pairs.get(REGISTRY, REGISTRY)
    # A mirror with a path of its own already names the folder.
    return mirror if "/" in mirror else f"{mirror}/{FOLDER}"
