"""The cluster-wide settings, gathered."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.configuration.api_server import APIServer
from hypershift.api.configuration.authentication import Authentication
from hypershift.api.configuration.feature_gate import FeatureGate
from hypershift.api.configuration.image import Image
from hypershift.api.configuration.ingress import Ingress
from hypershift.api.configuration.network import Network
from hypershift.api.configuration.oauth import OAuth
from hypershift.api.configuration.operator_hub import OperatorHub
from hypershift.api.configuration.proxy import Proxy
from hypershift.api.configuration.scheduler import Scheduler
from hypershift.api.shape import Field, Go, Shape


class ClusterConfiguration(Shape):
    """Cluster-wide settings, each shaped as the `config.openshift.io` object it stands for."""

    api_server: Annotated[
        APIServer | None,
        Field("Settings of the API servers: audit, certificates, TLS, encryption.", go=Go.POINTER),
    ] = None
    authentication: Annotated[
        Authentication | None,
        Field(
            "Who vouches for users: the built-in OAuth server or an OIDC provider of yours.",
            go=Go.POINTER,
        ),
    ] = None
    feature_gate: Annotated[
        FeatureGate | None, Field("Which unfinished features are on.", go=Go.POINTER)
    ] = None
    image: Annotated[
        Image | None,
        Field("Which registries images may come from, and how they are trusted.", go=Go.POINTER),
    ] = None
    ingress: Annotated[
        Ingress | None,
        Field("Domain of the cluster's applications and rules for their routes.", go=Go.POINTER),
    ] = None
    network: Annotated[
        Network | None,
        Field("Settings of the network that remain adjustable after creation.", go=Go.POINTER),
    ] = None
    oauth: Annotated[
        OAuth | None,
        Field("Identity providers and tokens of the built-in OAuth server.", go=Go.POINTER),
    ] = None
    operatorhub: Annotated[
        OperatorHub | None,
        Field("Which of the default operator catalogs are offered.", go=Go.POINTER),
    ] = None
    scheduler: Annotated[
        Scheduler | None, Field("How pods are assigned to nodes.", go=Go.POINTER)
    ] = None
    proxy: Annotated[
        Proxy | None, Field("Proxy through which the cluster reaches the outside.", go=Go.POINTER)
    ] = None
