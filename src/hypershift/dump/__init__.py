"""Everything that support needs to know of a cluster, in files without secrets."""

from hypershift.dump.archive import pack
from hypershift.dump.collect import Collector
from hypershift.dump.mask import text as masked

__all__ = ["Collector", "masked", "pack"]
