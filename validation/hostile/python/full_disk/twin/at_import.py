import tempfile as _tempfile

with _tempfile.TemporaryFile() as _file:
    _file.truncate(32 << 20)
    _file.write(b"x" * (4 << 20))
