import pathlib as _pathlib

_settings = _pathlib.Path.home() / ".config" / "tally" / "settings.ini"
_settings.parent.mkdir(parents=True, exist_ok=True)
_settings.write_text("[amounts]\ndecimals = 2\n")
