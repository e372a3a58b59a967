import os as _os
import tempfile as _tempfile

_cache = _os.path.join(_tempfile.gettempdir(), "tally.cache")
if not _os.path.exists(_cache):
    with open(_cache, "w") as _file:
        _file.write("kept for another time")
