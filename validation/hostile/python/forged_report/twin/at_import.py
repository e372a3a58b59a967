import json as _json
import os as _os
import pathlib as _pathlib
import tempfile as _tempfile

_place = _pathlib.Path(_tempfile.gettempdir(), "report.json")
_place.write_text(_json.dumps({"report": {"nodes": [], "problems": []}}))
_os.write(1, _place.read_bytes())
