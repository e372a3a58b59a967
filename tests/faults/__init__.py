"""Runs that are killed, robbed of their disk or of what was not synced, and what must be true after each."""
