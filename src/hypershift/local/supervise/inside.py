"""What the supervisor does inside the cluster, once there is one: imported late for that reason."""

from hypershift.local.controllers import Controllers
from hypershift.local.supervise.provider_runner import keep_providing
from hypershift.local.supervise.provider_runner import settings as provider_settings

__all__ = ["Controllers", "keep_providing", "provider_settings"]
