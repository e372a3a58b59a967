"""Zstandard from wherever this Python has it."""

from __future__ import annotations

import sys

if sys.version_info >= (3, 14):
    from compression.zstd import DecompressionParameter, ZstdDecompressor, ZstdError
else:
    from backports.zstd import DecompressionParameter, ZstdDecompressor, ZstdError

__all__ = ["ZstdError", "decompressor"]

_WINDOW_LOG = 27  # 128 MiB: what the tool itself accepts without being asked


def decompressor() -> ZstdDecompressor:
    """One for one frame. A frame that wants a larger window raises `ZstdError`."""
    return ZstdDecompressor(options={DecompressionParameter.window_log_max: _WINDOW_LOG})
