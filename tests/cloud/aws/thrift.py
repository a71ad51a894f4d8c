"""What moto works out again with each request and each reset, worked out once."""

from functools import cache

from moto import backends
from moto.core import responses
from moto.core.utils import method_names_from_class
from moto.ec2.models import amis

#: The image that there is; what machines boot is the payload's, whatever they ask.
AMI = "ami-12c6146b"


def save() -> None:
    """List the folders of moto and the methods of its classes once; have one image, not 1,300."""
    folders = tuple(backends.list_of_moto_modules())
    backends.list_of_moto_modules = lambda: folders
    names = cache(method_names_from_class)
    responses.method_names_from_class = names  # type: ignore[attr-defined]
    amis.AmiBackend._load_amis = _load_one  # type: ignore[assignment, method-assign]  # noqa: SLF001


def _load_one(backend: amis.AmiBackend) -> None:
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
