"""ClusterSizingConfiguration: size classes of hosted clusters."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.kind import Kind, Resource, served
from hypershift.api.meta import ConditionsStatus
from hypershift.api.shape import Field, Int32, Quantity, Rule, Shape, constrained


class ClusterSizingConfigurationSpec(Shape):
    """Size classes of hosted clusters."""

    sizes: Annotated[
        tuple[SizeConfiguration, ...],
        Field(
            "The classes. Exactly one begins at 0 nodes, and exactly one has no upper bound.",
            list_type="map",
            list_keys=("name",),
            rules=(
                Rule(
                    "self.exists_one(i, i.criteria.from == 0)",
                    "exactly one size class must have a lower limit of zero",
                ),
                Rule(
                    "self.exists_one(i, !has(i.criteria.to))",
                    "exactly one size class must have no upper limit",
                ),
            ),
        ),
    ]
    concurrency: Annotated[
        TransitionConcurrency | None, Field("How many clusters may change class at a time.")
    ] = None
    non_request_serving_nodes_buffer_per_zone: Annotated[
        Quantity | None,
        Field(
            "Nodes to keep free in each zone for components other than the API server;"
            " fractions allowed."
        ),
    ] = None
    resource_based_autoscaling: Annotated[
        ResourceBasedAutoscaling | None,
        Field("How the class follows what the API server really uses."),
    ] = None
    transition_delay: Annotated[
        TransitionDelay | None, Field("How long to wait before a class changes.")
    ] = None


class TransitionConcurrency(Shape):
    """How many clusters may change class at a time."""

    limit: Annotated[
        Int32, Field("Most changes within the window. Default 5.", minimum=1, required=True)
    ] = 5
    sliding_window: Annotated[
        str,
        Field(
            "Length of the window, as a Go duration. Default 10m.",
            pattern=r"^([0-9]+(\.[0-9]+)?(s|m|h))+$",
            required=True,
        ),
    ] = "10m"


class ResourceBasedAutoscaling(Shape):
    """How the class follows what the API server really uses."""

    kube_api_server_memory_fraction: Annotated[
        Quantity | None,
        Field(
            "Share of a machine's memory, 0 to 1, that the API server may use before a larger"
            " class is chosen. Default 0.65."
        ),
    ] = None


class SizeConfiguration(Shape):
    """One size class."""

    criteria: Annotated[NodeCountCriteria, Field("Which clusters belong to it.")]
    name: Annotated[
        str, Field("Name of the class, for example `small`; machines are labelled with it.")
    ]
    capacity: Annotated[
        SizeCapacity | None, Field("Size of the machines that serve requests of such clusters.")
    ] = None
    effects: Annotated[SizeEffects | None, Field("What changes for such clusters.")] = None
    management: Annotated[
        SizeManagement | None, Field("Spare machines kept for such clusters.")
    ] = None


class SizeCapacity(Shape):
    """The size of machines."""

    cpu: Annotated[Quantity | None, Field("CPU of such a machine.")] = None
    memory: Annotated[Quantity | None, Field("Memory of such a machine.")] = None


@constrained(
    Rule(
        "!has(self.to) || self.from <= self.to",
        "lower limit must be less than or equal to the upper limit",
    ),
)
class NodeCountCriteria(Shape):
    """How many nodes a cluster of a class has."""

    from_: Annotated[Int32, Field("Fewest nodes.", minimum=0)]
    to: Annotated[Int32 | None, Field("Most nodes. Unset means no upper bound.", minimum=0)] = None


class SizeEffects(Shape):
    """What changes for clusters of a class."""

    api_critical_priority_class_name: Annotated[
        str | None, Field("Priority class of pods that the API depends on.")
    ] = None
    control_plane_priority_class_name: Annotated[
        str | None, Field("Priority class of other control plane pods.")
    ] = None
    etcd_priority_class_name: Annotated[str | None, Field("Priority class of etcd pods.")] = None
    kas_go_mem_limit: Annotated[
        str | None,
        Field(
            "Memory at which the API server's garbage collector works hard, for example 4GiB.",
            pattern=r"^\d+(B|KiB|MiB|GiB|TiB)?$",
            max_length=20,
        ),
    ] = None
    machine_health_check_timeout: Annotated[
        str | None,
        Field("How long a node may be unhealthy before it is replaced, as a Go duration."),
    ] = None
    maximum_mutating_requests_inflight: Annotated[
        int | None, Field("Most writes that the API server handles at a time.")
    ] = None
    maximum_requests_inflight: Annotated[
        int | None, Field("Most reads that the API server handles at a time.")
    ] = None
    resource_requests: Annotated[
        tuple[ResourceRequest, ...], Field("Resource requests of certain containers.")
    ] = ()


class ResourceRequest(Shape):
    """What one container requests."""

    container_name: Annotated[str, Field("Name of the container.")]
    deployment_name: Annotated[str, Field("Name of the Deployment.")]
    cpu: Annotated[Quantity | None, Field("CPU to request.")] = None
    memory: Annotated[Quantity | None, Field("Memory to request.")] = None


class SizeManagement(Shape):
    """Spare machines for a class."""

    non_request_serving_nodes_per_zone: Annotated[
        Quantity | None,
        Field(
            "Nodes in each zone that one such cluster needs for components other than the API"
            " server; fractions allowed."
        ),
    ] = None
    placeholders: Annotated[
        int | None, Field("How many pairs of machines to keep ready for such clusters.", minimum=0)
    ] = None


class TransitionDelay(Shape):
    """How long to wait before a class changes."""

    decrease: Annotated[
        str,
        Field(
            "Wait before a smaller class, as a Go duration. Default 10m.",
            pattern=r"^([0-9]+(\.[0-9]+)?(s|m|h))+$",
        ),
    ] = "10m"
    increase: Annotated[
        str,
        Field(
            "Wait before a larger class, as a Go duration. Default 30s.",
            pattern=r"^([0-9]+(\.[0-9]+)?(s|m|h))+$",
        ),
    ] = "30s"


@served(
    Kind(
        group="scheduling.hypershift.openshift.io",
        version="v1alpha1",
        plural="clustersizingconfigurations",
        short_names=("csc", "cscs"),
        namespaced=False,
    )
)
@constrained(
    Rule(
        "self.metadata.name == 'cluster'",
        "exactly one configuration may exist and must be named 'cluster'",
    ),
)
class ClusterSizingConfiguration(Resource):
    """Size classes of hosted clusters and what each class means. There is one, named `cluster`."""

    spec: Annotated[
        ClusterSizingConfigurationSpec,
        Field("The classes and how clusters move between them.", optional=True),
    ]
    status: Annotated[ConditionsStatus, Field("Whether the configuration is usable.")] = (
        ConditionsStatus()
    )
