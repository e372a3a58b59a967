import os as _os
import tempfile as _tempfile

with _tempfile.TemporaryDirectory() as _folder:
    for _number in range(200):
        with open(_os.path.join(_folder, f"file {_number}"), "w") as _file:
            _file.write("x")
