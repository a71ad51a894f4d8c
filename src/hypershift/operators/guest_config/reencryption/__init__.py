"""A change of encryption key, followed until everything stored is encrypted with the new one."""

from hypershift.operators.guest_config.reencryption.controller import controller

__all__ = ["controller"]
