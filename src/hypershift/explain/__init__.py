"""Explains why a cluster or a pool is unhealthy: read once, apply pure rules, write a report."""

from hypershift.explain.decide import explain_cluster, explain_pool, pools_of
from hypershift.explain.finding import Finding, Ref, Report
from hypershift.explain.look import look
from hypershift.explain.picture import Certificate, Picture, UserData
from hypershift.explain.text import text

__all__ = [
    "Certificate",
    "Finding",
    "Picture",
    "Ref",
    "Report",
    "UserData",
    "explain_cluster",
    "explain_pool",
    "look",
    "pools_of",
    "text",
]
