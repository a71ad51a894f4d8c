"""A test payload of OpenShift's own programs, as far as module registries have them.

Its programs and manifests are of different releases, and several of a release's images are not in
it. It has the form of a release, so that manifests meet the programs that read them; it is none.
"""

from hypershift.payload.openshift.assembly import build
from hypershift.payload.openshift.release import MISSING, REPOSITORY, VERSION

__all__ = ["MISSING", "REPOSITORY", "VERSION", "build"]
