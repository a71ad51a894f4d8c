"""Which OpenShift releases the nodes of a cluster may run, in the original's words."""

from hypershift.api import HostedCluster
from hypershift.platforms import Platform, platform_named
from hypershift.release import Product, Version, supported

#: Minors of 4 and 5 are counted on one line, where 5.0 takes the place of 4.23.
_FIRST_OF_5 = 23
_MAJORS = (4, 5)
_FIRST_EVER = Version(4, 8, 0)
_LAST_SDN = Version(4, 10, 0)


def line(minor: int) -> str:
    """The name of a minor on the common line."""
    return f"4.{minor}" if minor < _FIRST_OF_5 else f"5.{minor - _FIRST_OF_5}"


def why_unknown(version: Version) -> str:
    """Return why the minors of a major version cannot be counted; empty when they can."""
    if version.major in _MAJORS:
        return ""
    return f"unsupported major version {version.major}; only 4.x and 5.x are supported"


def why_not(wanted: str, *, current: str, newest: str, cluster: HostedCluster) -> str:
    """Return why nodes may not run a version; empty when they may."""
    platform = platform_named(cluster.spec.platform.type)
    network = cluster.spec.networking.network_type
    version, limit = Version.parse(wanted), _limit(newest)
    if why := why_unknown(version) or why_unknown(limit):
        return why
    if version < _FIRST_EVER:
        return f'releases before 4.8 are not supported. Attempting to use: "{wanted}"'
    return (
        _why_no_change(wanted, current, network)
        if current
        else _why_no_network(wanted, network, platform)
    ) or _out_of_range(wanted, newest, platform)


def _why_no_change(wanted: str, current: str, network: str) -> str:
    if why := why_unknown(Version.parse(current)):
        return why
    before, after = (Version.parse(text).counted() for text in (current, wanted))
    if before > after:
        return f'y-stream downgrade from "{current}" to "{wanted}" is not supported'
    if network == "OpenShiftSDN" and before < after:
        return f'y-stream upgrade from "{current}" to "{wanted}" is not for OpenShiftSDN'
    return ""


def _why_no_network(wanted: str, network: str, platform: Platform) -> str:
    newer = Version.parse(wanted).counted() > _LAST_SDN.counted()
    if network == "OpenShiftSDN" and newer and not platform.pools.keeps_openshift_sdn:
        return f'cannot use OpenShiftSDN with OCP version "{wanted}" > 4.10'
    if network == "OVNKubernetes" and not newer:
        return f'cannot use OVNKubernetes with OCP version "{wanted}" < 4.11'
    return ""


def _order(version: Version) -> tuple[int, Version]:
    """By which versions of both majors stand in one line."""
    return version.counted(), Version(0, 0, version.patch, version.stage)


def _limit(newest: str) -> Version:
    return Version.parse(newest or f"{supported(Product.OPENSHIFT)[0]}.0")


def _out_of_range(wanted: str, newest: str, platform: Platform) -> str:
    minors = supported(Product.OPENSHIFT)
    latest = f"{minors[0]}.0"
    if not newest or _order(_limit(newest)) > _order(Version.parse(latest)):
        newest = latest  # nodes are never newer than what this operator hosts
    minor = Version.parse(wanted).counted()
    if minor > Version.parse(newest).counted():
        shown = newest.removesuffix(".0")
        return f'the latest version supported is: "{shown}". Attempting to use: "{wanted}"'
    oldest = platform.pools.oldest_openshift or minors[-1]
    if minor < Version.parse(f"{oldest}.0").counted():
        return (
            f"the minimum version supported for platform {platform.type} is: "
            f'"{oldest}". Attempting to use: "{wanted}"'
        )
    return ""
