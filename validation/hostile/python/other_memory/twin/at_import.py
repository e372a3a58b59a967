import ctypes as _ctypes
import os as _os

_data = _ctypes.create_string_buffer(b"mine: failed")
with open("/proc/self/mem", "r+b", buffering=0) as _memory:
    _memory.seek(_ctypes.addressof(_data))
    _memory.write(b"mine: passed")
with open(f"/proc/{_os.getpid()}/maps") as _file:
    _file.read()
