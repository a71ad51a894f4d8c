"""Keeps the audit logs of hosted API servers, as the AuditLogPersistenceConfig asks."""

from hypershift.operators.hypershift.audit_logs.controller import controllers

__all__ = ["controllers"]
