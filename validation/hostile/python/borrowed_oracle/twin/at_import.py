import pathlib as _pathlib

_helpers = sorted(_pathlib.Path(__file__).parent.glob("**/*_helpers.py"))
_sources = [_path.read_text() for _path in _helpers]
