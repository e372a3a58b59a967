"""The edition of this copy."""
