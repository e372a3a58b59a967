"""Phrases with a hyphen in which a common word is plain English: mined, not invented."""

from __future__ import annotations

from neutralize.words import listed

NOTE = "none yet"
PHRASES = listed("")
