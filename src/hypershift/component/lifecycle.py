"""What the parts of the operator lifecycle manager have in common."""

from collections.abc import Iterable

from hypershift.api.annotations import DISABLE_MONITORING_SERVICES
from hypershift.api.values import OLMCatalogPlacement
from hypershift.api.well_known import KUBE_APISERVER
from hypershift.component import monitoring
from hypershift.component.component import Asset
from hypershift.component.view import View

GROUP = "operators.coreos.com"
CATALOG_SOURCE = (GROUP, "v1alpha1", "CatalogSource")
CATALOGS = ("certified-operators", "community-operators", "redhat-operators")


def no_proxy(view: View) -> str:
    """What is reached without the tunnel: the API, and catalogs that run beside it."""
    beside = view.spec.olm_catalog_placement == OLMCatalogPlacement.MANAGEMENT
    return ",".join((KUBE_APISERVER, *(CATALOGS if beside else ())))


def metrics(sre: str, telemetry: Iterable[str]) -> tuple[Asset, Asset]:
    """The Service and the monitor of an operator, where clusters want them."""
    scraped = monitoring.Scraped(sre, monitoring.kept(*telemetry))
    return (
        Asset("service.yaml", when=monitored),
        Asset("servicemonitor.yaml", adapt=monitoring.scraping(scraped), when=monitored),
    )


def monitored(view: View) -> bool:
    return not view.annotated(DISABLE_MONITORING_SERVICES)
