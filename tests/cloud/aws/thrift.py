"""What moto works out again with each request and each reset, worked out once."""

from functools import cache
from typing import Any

from moto import backends
from moto.core import responses
from moto.ec2.models import amis

#: The image that there is; what machines boot is the payload's, whatever they ask.
AMI = "ami-12c6146b"


def save() -> None:
    """List the folders of moto and the methods of its classes once; have one image, not 1,300."""
    folders = tuple(backends.list_of_moto_modules())
    backends.list_of_moto_modules = lambda: folders
    responses.method_names_from_class = cache(responses.method_names_from_class)
    amis.AmiBackend._load_amis = _load_one  # type: ignore[method-assign]  # noqa: SLF001


def _load_one(backend: Any) -> None:
    backend.amis[AMI] = amis.Ami(
        backend,
        AMI,
        name="image",
        owner_id="801119661308",
        owner_alias="amazon",
        public=True,
        image_location="amazon/getting-started",
        virtualization_type="hvm",
        architecture="x86_64",
        hypervisor="xen",
        root_device_type="ebs",
    )
