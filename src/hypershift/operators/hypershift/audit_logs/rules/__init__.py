"""Pure rules about kept audit logs."""
