"""How components follow the replacement of authorities: whom they trust, and when pods roll."""

from hypershift.component.view import View
from hypershift.pki.inventory import secret_data
from hypershift.pki.succession import ROOT, SUCCESSION_SECRET, Succession, read_succession


def succession(view: View) -> Succession | None:
    """The replacement that is under way or was the last; None when there never was one."""
    return read_succession(secret_data(view.objects, SUCCESSION_SECRET))


def root(view: View) -> bytes:
    """Certificates (PEM) by which clients check the API server."""
    current, found = view.secret(ROOT, "ca.crt"), succession(view)
    return found.trusted(ROOT, current) if found and current else current


def mark(view: View) -> str:
    """The value of an annotation on every pod, so that pods roll in each stage; empty for none."""
    found = succession(view)
    return found.mark if found else ""
