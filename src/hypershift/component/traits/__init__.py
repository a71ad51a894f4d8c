"""What a pod can wear: each module one subject, each trait a frozen value."""

from hypershift.component.traits.harden import namespace_uid
from hypershift.component.traits.image import image_of
from hypershift.component.traits.konnectivity import HttpsProxy, Socks5Proxy
from hypershift.component.traits.prober import AwaitApiServer
from hypershift.component.traits.readiness import ReadyWithApiServer
from hypershift.component.traits.service_account import ServiceAccountKubeconfig
from hypershift.component.traits.token_minter import TokenMinter

__all__ = [
    "AwaitApiServer",
    "HttpsProxy",
    "ReadyWithApiServer",
    "ServiceAccountKubeconfig",
    "Socks5Proxy",
    "TokenMinter",
    "image_of",
    "namespace_uid",
]
