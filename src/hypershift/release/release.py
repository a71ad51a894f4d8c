"""A release as a value: its version, its product and the images it is made of."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from hypershift.kit import Secret
from hypershift.release.boot_images import BootImages
from hypershift.release.product import ALIASES, Product
from hypershift.release.versions import Version


@dataclass(frozen=True, slots=True)
class Release:
    """What a release image contains, from its own documents."""

    version: str
    product: Product
    images: Mapping[str, str] = field(default_factory=dict)
    #: The reference it was looked up by.
    image: str = ""
    #: The same by its digest, where it was read: what a tag meant at that moment.
    resolved: str = ""
    #: Versions that may be upgraded to this one.
    previous: tuple[str, ...] = ()
    #: Versions of what is inside: `{"kubernetes": "1.35.8"}`.
    components: Mapping[str, str] = field(default_factory=dict)
    #: What its image was built for; `multi` when there is one for each of several.
    architecture: str = ""
    #: What machines boot from; empty for products whose machines boot an image of the payload.
    boot_images: BootImages = field(default_factory=BootImages)

    #: The version in the image's label, where that is not the payload's own.
    label: str = ""

    @property
    def labelled(self) -> Version:
        """The version by which indexes of operators are chosen."""
        return Version.parse(self.label or self.version)

    @property
    def semantic(self) -> Version:
        """The version as something that compares."""
        return Version.parse(self.version)

    @property
    def openshift(self) -> bool:
        """Whether this is OpenShift."""
        return self.product is Product.OPENSHIFT

    def find(self, name: str) -> str:
        """The image of that name, under the product's own name for it; empty when it has none."""
        return self.images.get(name) or self.images.get(ALIASES[self.product].get(name, ""), "")

    def has(self, name: str) -> bool:
        """Whether the payload carries that image."""
        return bool(self.find(name))

    def missing(self, names: set[str]) -> list[str]:
        """The images among `names` that the payload lacks, for the condition that reports it."""
        return sorted(name for name in names if not self.has(name))

    def with_images(self, images: Mapping[str, str]) -> "Release":
        """The same release with images added or replaced, as an operator's settings may ask."""
        return replace(self, images={**self.images, **images})

    def with_registry_overrides(self, overrides: Mapping[str, str]) -> "Release":
        """The control plane's view: every image read from where the management cluster has it."""
        return replace(
            self, images={name: override(image, overrides) for name, image in self.images.items()}
        )


def override(image: str, overrides: Mapping[str, str]) -> str:
    """Replace the source registry at the start of a reference; the longest source wins."""
    for source in sorted(overrides, key=len, reverse=True):
        rest = image.removeprefix(source)
        if rest != image and (not rest or rest[0] in "/:@"):
            return overrides[source] + rest
    return image


class Lookup(Protocol):
    """Where operators look releases up."""

    async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
        """What a release image contains."""
        ...
