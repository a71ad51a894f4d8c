"""Cluster API's manager, for clusters that have none; one that is there only learns our kinds."""

from datetime import UTC, datetime

from hypershift.cli.install.installed import Installed
from hypershift.cli.install.operator import CLI_VERSION
from hypershift.cli.install.options import InstallOptions
from hypershift.cli.version import client_version
from hypershift.kit import Manifest
from hypershift.local.addons import cluster_api, cluster_api_objects

#: Rights on hosted control planes, which every Cluster API manager takes up by their label.
RIGHTS = ("ClusterRole", "capi-hypershift-role")


def manager_objects(options: InstallOptions, installed: Installed | None = None) -> list[Manifest]:
    """What makes Cluster API work for hosted clusters, as far as it is not there.

    Without a cluster to look at, `auto` leaves the manager out: a rendering cannot know. An
    operator of Dedicated clusters gives each of them a manager of its own.
    """
    chosen = options.cluster_api
    if chosen == "none" or (chosen == "auto" and installed is None):
        return []
    if chosen == "auto" and installed is not None and not _is_missed(options, installed):
        return []
    found = cluster_api_objects(options.cluster_api_image)
    if chosen == "adopt" or (chosen == "auto" and installed is not None and installed.adopts):
        return [each for each in found if (each["kind"], each["metadata"]["name"]) == RIGHTS]
    for each in found:  # marks it as ours, also when another program applies it
        if each["kind"] == "Deployment":
            each["metadata"]["annotations"] = {CLI_VERSION: client_version()}
    if installed is None or installed.manager is None:
        found.insert(1, cluster_api.webhook_certificates(datetime.now(UTC)))
    return found


def _is_missed(options: InstallOptions, installed: Installed) -> bool:
    """Whether Shared clusters need a manager, or one is there that has to learn our kinds."""
    return bool(options.shared) or installed.manager is not None
