"""Whether a cluster may run a release: the original's rules, with its messages."""

from hypershift.api.platforms.traits import traits_of
from hypershift.kit import InvalidSpec
from hypershift.release.product import Product
from hypershift.release.versions import Version, supported, why_no_upgrade, why_unsupported

OVN, SDN = "OVNKubernetes", "OpenShiftSDN"
#: The last minor of OpenShift without OVN, and the first ones that were ever hosted.
LAST_OF_SDN, FIRST = Version(4, 10, 0), Version(4, 8, 0)


def why_invalid(
    product: Product, wanted: str, current: str = "", *, network: str = "", platform: str = ""
) -> str:
    """Return why a cluster may not run a release; empty when it may.

    `current` is the version that runs, when another one is wanted.
    """
    try:
        version = Version.parse(wanted)
        running = Version.parse(current) if current else None
    except InvalidSpec as error:
        return str(error)
    if product is Product.KUBERNETES:
        why = why_unsupported(product, version)
        return why or (why_no_upgrade(product, running, version) if running else "")
    step = _no_start(version, wanted, network, platform)
    if running:
        step = _no_step(version, running, wanted, current, network)
    return _no_openshift(version, wanted) or step or _outside(version, wanted, platform)


def _no_openshift(version: Version, wanted: str) -> str:
    if version.major not in (4, 5):
        known = "only 4.x and 5.x are supported"
        return f"unsupported major version {version.major}; {known}"
    if version < FIRST:
        return f'releases before 4.8 are not supported. Attempting to use: "{wanted}"'
    return ""


def _no_step(version: Version, running: Version, wanted: str, current: str, network: str) -> str:
    distance = version.minors_above(running)
    if distance < 0:
        return f'y-stream downgrade from "{current}" to "{wanted}" is not supported'
    if distance > 0 and network == SDN:
        return f'y-stream upgrade from "{current}" to "{wanted}" is not for OpenShiftSDN'
    return ""


def _no_start(version: Version, wanted: str, network: str, platform: str) -> str:
    new = version.minors_above(LAST_OF_SDN) > 0
    if network == SDN and new and not traits_of(platform).starts_with_sdn:
        return f'cannot use OpenShiftSDN with OCP version "{wanted}" > 4.10'
    if network == OVN and not new:
        return f'cannot use OVNKubernetes with OCP version "{wanted}" < 4.11'
    return ""


def _outside(version: Version, wanted: str, platform: str) -> str:
    newest, *_, oldest = supported(Product.OPENSHIFT)
    if version.minors_above(Version.parse(f"{newest}.0")) > 0:
        return f'the latest version supported is: "{newest}". Attempting to use: "{wanted}"'
    if version.minors_above(Version.parse(f"{oldest}.0")) < 0:
        lowest = f'the minimum version supported for platform {platform} is: "{oldest}"'
        return f'{lowest}. Attempting to use: "{wanted}"'
    return ""
