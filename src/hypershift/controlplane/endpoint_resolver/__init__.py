"""endpoint-resolver: gives the metrics proxy the addresses of a component's pods."""

from pathlib import Path

from hypershift.component import Asset, Component, forwarding, published

NAME = "endpoint-resolver"

OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml"),
    manifests=(
        Asset("ca-cert.yaml", when=published.signs, keeps_existing=True),
        Asset("role.yaml"),
        Asset("rolebinding.yaml"),
        Asset("service.yaml"),
        Asset("serviceaccount.yaml"),
        Asset("serving-cert.yaml", when=published.signs, keeps_existing=True),
    ),
    when=forwarding.wanted,
    management_access=True,
)
