import atexit as _atexit
import gc as _gc
import sys as _sys
import unittest as _unittest

_runners = [_name for _name in list(_sys.modules) if _name.partition(".")[0] in {"pytest", "_pytest"}]
_results = [_object for _object in _gc.get_objects() if type(_object) is _unittest.TestResult]
_atexit.register(_runners.clear)
