"""Volumes that no provisioner provides."""

from collections.abc import Iterator

from hypershift.explain.finding import Finding, Ref, ref
from hypershift.explain.picture import Picture, message_of
from hypershift.kit import Manifest, annotations_of
from hypershift.kube import kinds

DEFAULT = "storageclass.kubernetes.io/is-default-class"


def claims(picture: Picture) -> Iterator[Finding]:
    """Claims that stay Pending: a class that is not there, or a provisioner that fails."""
    pending = [
        claim
        for claim in picture.of(kinds.PERSISTENT_VOLUME_CLAIM)
        if (claim.get("status") or {}).get("phase") == "Pending" and picture.is_old(claim)
    ]
    seen: set[Ref] = set()
    for claim in pending:
        found = _claim(picture, claim)
        if found.object not in seen:
            seen.add(found.object)
            yield found


def _claim(picture: Picture, claim: Manifest) -> Finding:
    wanted = claim["spec"].get("storageClassName")
    classes = {each["metadata"]["name"]: each for each in picture.of(kinds.STORAGE_CLASS)}
    known = ", ".join(sorted(classes)) or "none"
    said = _events(picture, claim)
    if wanted and wanted not in classes:
        return Finding(
            Ref("StorageClass", wanted),
            f"it does not exist, and {ref(claim)} asks for it (there are: {known})",
            "create it, or create the cluster again with an existing --etcd-storage-class",
            said,
        )
    if not wanted and not any(
        annotations_of(each).get(DEFAULT) == "true" for each in classes.values()
    ):
        return Finding(
            ref(claim),
            f"it asks for the default StorageClass, and none is the default (there are: {known})",
            f"""mark one: kubectl annotate storageclass NAME {DEFAULT}=true""",
            said,
        )
    provisioner = (classes.get(wanted or "") or {}).get("provisioner", "unknown")
    return Finding(
        ref(claim),
        f"no volume was made for it; the provisioner of its class is {provisioner}",
        f"look at the provisioner: kubectl describe {ref(claim).words}",
        said,
    )


def _events(picture: Picture, about: Manifest) -> tuple[str, ...]:
    name = about["metadata"]["name"]
    return tuple(
        dict.fromkeys(
            message_of(event)
            for event in picture.of(kinds.EVENT)
            if (event.get("involvedObject") or {}).get("name") == name
            and (event.get("involvedObject") or {}).get("kind") == about["kind"]
        )
    )[-2:]
