"""Reasons and messages that conditions of several kinds share."""

from hypershift.api.conditions.words import ConditionReason


class Reason(ConditionReason):
    """Reasons that conditions of several kinds have."""

    AS_EXPECTED = "AsExpected"
    STATUS_UNKNOWN = "StatusUnknown"
    NOT_FOUND = "NotFound"
    WAITING_FOR_AVAILABLE = "WaitingForAvailable"
    INVALID_CONFIGURATION = "InvalidConfiguration"
    RECONCILIATION_PAUSED = "ReconciliationPaused"
    INVALID_PAUSED_UNTIL = "InvalidPausedUntilValue"
    AWS_SUCCESS = "AWSSuccess"
    AWS_ERROR = "AWSError"
    AZURE_SUCCESS = "AzureSuccess"
    AZURE_ERROR = "AzureError"
    GCP_SUCCESS = "GCPSuccess"
    GCP_ERROR = "GCPError"


#: The message of a condition without details.
ALL_IS_WELL = "All is well"
