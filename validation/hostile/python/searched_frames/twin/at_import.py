import gc as _gc
import sys as _sys

_seen = len(_gc.get_objects())
_caller = _sys._getframe().f_back.f_code.co_name
