import pathlib as _pathlib
import tempfile as _tempfile

_copy = _pathlib.Path(_tempfile.gettempdir(), "copy.py")
_copy.write_text(_pathlib.Path(__file__).read_text().replace("assert ", "0 and "))
