"""Everything that support needs to know of a cluster, in files without secrets."""

from hypershift.dump.archive import pack
from hypershift.dump.collect import Collector, file_name
from hypershift.dump.mask import text as masked

__all__ = ["Collector", "file_name", "masked", "pack"]
