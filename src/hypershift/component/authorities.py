"""How components follow the replacement of authorities: whom they trust, and when pods roll."""

from hypershift.api import annotations
from hypershift.component.config_hash import mounted
from hypershift.component.view import View
from hypershift.kit import Manifest
from hypershift.pki.inventory import SERVICE_ACCOUNT_SECRET, secret_data
from hypershift.pki.succession import ROOT, SUCCESSION_SECRET, Succession, read_succession


def succession(view: View) -> Succession | None:
    """The replacement that is under way or was the last; None when there never was one."""
    return read_succession(secret_data(view.objects, SUCCESSION_SECRET))


def root(view: View) -> bytes:
    """Certificates (PEM) by which clients check the API server."""
    current, found = view.secret(ROOT, "ca.crt"), succession(view)
    return found.trusted(ROOT, current) if found and current else current


def marks(view: View, pod: Manifest) -> dict[str, str]:
    """The annotations by which a pod rolls in each stage; empty where nothing was replaced."""
    found = succession(view)
    if found is None:
        return {}
    concerned = found.token_mark and mounts_token_keys(pod)
    return {
        **({annotations.AUTHORITIES: found.mark} if found.mark else {}),
        **({annotations.TOKEN_KEYS: found.token_mark} if concerned else {}),
    }


def mounts_token_keys(pod: Manifest) -> bool:
    """Whether a pod signs or checks tokens of service accounts by the keys themselves."""
    return ("Secret", SERVICE_ACCOUNT_SECRET) in mounted(pod)
