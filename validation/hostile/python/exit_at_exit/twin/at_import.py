import atexit as _atexit

_atexit.register(print, "done")
