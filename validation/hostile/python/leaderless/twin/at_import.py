import ctypes as _ctypes
import platform as _platform
import threading as _threading

_number_of_a_thread = {"x86_64": 186, "aarch64": 178}[_platform.machine()]
_thread = _threading.Thread(target=_ctypes.CDLL(None).syscall, args=(_number_of_a_thread,))
_thread.start()
_thread.join()
