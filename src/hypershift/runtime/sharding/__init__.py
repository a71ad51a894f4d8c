"""Clusters shared among replicas: which replica owns which, and how one hands over to another.

A cluster belongs to a bucket by its name, a bucket to a replica by one table that all keep.

    member lease of each replica ──► who is alive
    the table (bucket ──► replica) ──► who writes

Only its owner gives a bucket away, after its passes have ended; a bucket is taken from an owner
that is gone only when its lease was not renewed for so long that the owner's own clock forbids it
to write. So there are never two writers for a cluster.
"""

from hypershift.runtime.sharding.assignment import BUCKETS, assigned, bucket_of
from hypershift.runtime.sharding.owned_buckets import BucketTransport, OwnedBuckets
from hypershift.runtime.sharding.settings import Sharding
from hypershift.runtime.sharding.shards import Shards
from hypershift.runtime.sharding.table import Table

__all__ = [
    "BUCKETS",
    "BucketTransport",
    "OwnedBuckets",
    "Sharding",
    "Shards",
    "Table",
    "assigned",
    "bucket_of",
]
