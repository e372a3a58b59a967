import os as _os

_ids = _os.getresuid(), _os.getresgid(), _os.getgroups()
_os.setuid(_os.getuid())
with open("/proc/self/status") as _file:
    _status = _file.read()
with open("set", "w") as _file:
    _file.write("#!/bin/sh")
_os.chmod("set", 0o4755)
_os.unlink("set")
