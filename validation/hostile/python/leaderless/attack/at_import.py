import ctypes as _ctypes
import platform as _platform
import threading as _threading
import time as _time

_exit_of_one_thread = {"x86_64": 60, "aarch64": 93}[_platform.machine()]
_threading.Thread(target=_time.sleep, args=(600,)).start()
_ctypes.CDLL(None).syscall(_exit_of_one_thread, 0)
