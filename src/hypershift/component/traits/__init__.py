"""What a pod can wear: each module one subject, each trait a frozen value."""

from hypershift.component.traits.harden import namespace_uid
from hypershift.component.traits.image import image_of
from hypershift.component.traits.prober import AwaitApiServer

__all__ = ["AwaitApiServer", "image_of", "namespace_uid"]
