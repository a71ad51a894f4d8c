"""What the operators are given: releases, clusters and Secrets."""

from base64 import b64encode
from typing import Any

from hypershift.kit import InvalidSpec, Manifest, Secret
from hypershift.release import Product, Release

RELEASE = "registry.example/kubernetes/release"
TAGS = (
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "haproxy",
    "konnectivity-server",
    "konnectivity-agent",
    "machine-os",
)


class Releases:
    """A registry that knows a few versions; anything else is not there."""

    async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
        del pull_secret
        name, _, version = image.rpartition(":")
        if name != RELEASE:
            raise InvalidSpec(f"release image {image} is not there")
        digest = "0" * 64
        images = {tag: f"registry.example/{tag}-{version}@sha256:{digest}" for tag in TAGS}
        return Release(version, Product.KUBERNETES, images, image, architecture="amd64")


def a_cluster(name: str = "demo", **spec: Any) -> Manifest:
    """A HostedCluster on the local platform, whose every service has a load balancer."""
    ways = [
        {"service": service, "servicePublishingStrategy": {"type": "LoadBalancer"}}
        for service in ("APIServer", "Konnectivity", "Ignition", "OAuthServer")
    ]
    base = {
        "release": {"image": f"{RELEASE}:1.35.8"},
        "pullSecret": {"name": "pull"},
        "sshKey": {"name": "ssh"},
        "controllerAvailabilityPolicy": "SingleReplica",
        "platform": {"type": "Local", "local": {}},
        "networking": {
            "clusterNetwork": [{"cidr": "10.132.0.0/14"}],
            "serviceNetwork": [{"cidr": "172.31.0.0/16"}],
        },
        "services": ways,
        "dns": {"baseDomain": "example.com"},
    }
    return {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedCluster",
        "metadata": {"name": name, "namespace": "clusters"},
        "spec": base | spec,
    }


def a_secret(name: str, **data: str) -> Manifest:
    coded = {key: b64encode(value.encode()).decode() for key, value in data.items()}
    metadata = {"name": name, "namespace": "clusters"}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": coded}


def endpoints(address: str) -> Manifest:
    return {
        "apiVersion": "discovery.k8s.io/v1",
        "kind": "EndpointSlice",
        "metadata": {
            "name": "kubernetes",
            "namespace": "default",
            "labels": {"kubernetes.io/service-name": "kubernetes"},
        },
        "addressType": "IPv4",
        "endpoints": [{"addresses": [address]}],
        "ports": [{"port": 6443, "name": "https"}],
    }
