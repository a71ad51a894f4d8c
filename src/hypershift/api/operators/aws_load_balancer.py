"""The load balancer in front of an ingress controller on AWS."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.shape import Field, Rule, Shape, Value, constrained


class AWSLoadBalancer(Shape):
    """A load balancer on AWS."""

    type: Annotated[
        str,
        Field("`Classic` or `NLB`. A change replaces the load balancer.", enum=("Classic", "NLB")),
    ]
    classic_load_balancer: Annotated[
        ClassicLoadBalancer | None,
        Field("Settings of a Classic load balancer; only with `type: Classic`."),
    ] = None
    network_load_balancer: Annotated[
        NetworkLoadBalancer | None,
        Field("Settings of a Network load balancer; only with `type: NLB`."),
    ] = None


class ClassicLoadBalancer(Shape):
    """A Classic load balancer."""

    connection_idle_timeout: Annotated[
        str | None,
        Field(
            "How long an idle connection is kept, as a duration. Default: AWS's, 60s.",
            format="duration",
        ),
    ] = None
    subnets: Annotated[
        AWSSubnets | None,
        Field("Subnets the load balancer is attached to. Default: found by their tags."),
    ] = None


@constrained(
    Rule(
        "has(self.ids) && has(self.names) ? size(self.ids + self.names) <= 10 : true",
        "the total number of subnets cannot exceed 10",
    ),
    Rule(
        "has(self.ids) && self.ids.size() > 0 || has(self.names) && self.names.size() > 0",
        "must specify at least 1 subnet name or id",
    ),
)
class AWSSubnets(Shape):
    """Subnets of a load balancer, by id, by name or both; no duplicates."""

    ids: Annotated[
        tuple[str, ...],
        Field(
            "Ids of subnets, `subnet-...`, at most 10.",
            items=Value(pattern="^subnet-[0-9A-Za-z]+$", min_length=24, max_length=24),
            max_items=10,
            list_type="atomic",
            rules=(
                Rule(
                    "self.all(x, self.exists_one(y, x == y))",
                    "subnet ids cannot contain duplicates",
                ),
            ),
        ),
    ] = ()
    names: Annotated[
        tuple[str, ...],
        Field(
            "Names of subnets, at most 10.",
            items=Value(
                min_length=1,
                max_length=256,
                rules=(
                    Rule("!self.contains(',')", "subnet name cannot contain a comma"),
                    Rule("!self.startsWith('subnet-')", "subnet name cannot start with 'subnet-'"),
                ),
            ),
            max_items=10,
            list_type="atomic",
            rules=(
                Rule(
                    "self.all(x, self.exists_one(y, x == y))",
                    "subnet names cannot contain duplicates",
                ),
            ),
        ),
    ] = ()


@constrained(
    Rule(
        (
            "has(self.subnets) && has(self.subnets.ids) && has(self.subnets.names)"
            " && has(self.eipAllocations) ? size(self.subnets.ids +"
            " self.subnets.names) == size(self.eipAllocations) : true"
        ),
        "number of subnets must be equal to number of eipAllocations",
    ),
    Rule(
        (
            "has(self.subnets) && has(self.subnets.ids) && !has(self.subnets.names)"
            " && has(self.eipAllocations) ? size(self.subnets.ids) =="
            " size(self.eipAllocations) : true"
        ),
        "number of subnets must be equal to number of eipAllocations",
    ),
    Rule(
        (
            "has(self.subnets) && has(self.subnets.names) && !has(self.subnets.ids)"
            " && has(self.eipAllocations) ? size(self.subnets.names) =="
            " size(self.eipAllocations) : true"
        ),
        "number of subnets must be equal to number of eipAllocations",
    ),
)
class NetworkLoadBalancer(Shape):
    """A Network load balancer."""

    eip_allocations: Annotated[
        tuple[str, ...],
        Field(
            "Allocation ids of Elastic IPs, one per subnet, at most 10; for scope External only.",
            items=Value(
                min_length=26,
                max_length=26,
                rules=(
                    Rule(
                        "self.startsWith('eipalloc-')",
                        "eipAllocations should start with 'eipalloc-'",
                    ),
                    Rule(
                        "self.split(\"-\", 2)[1].matches('[0-9a-fA-F]{17}$')",
                        (
                            "eipAllocations must be 'eipalloc-' followed by exactly 17 hexadecimal"
                            " characters (0-9, a-f, A-F)"
                        ),
                    ),
                ),
            ),
            max_items=10,
            list_type="atomic",
            rules=(
                Rule(
                    "self.all(x, self.exists_one(y, x == y))",
                    "eipAllocations cannot contain duplicates",
                ),
            ),
        ),
    ] = ()
    protocol: Annotated[
        str | None,
        Field(
            "`TCP`, or `PROXY` so that the PROXY protocol keeps client addresses. Default TCP.",
            enum=("TCP", "PROXY"),
        ),
    ] = None
    subnets: Annotated[
        AWSSubnets | None,
        Field("Subnets the load balancer is attached to. Default: found by their tags."),
    ] = None
