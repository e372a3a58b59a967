import sys as _sys
import types as _types


class _Module(_types.ModuleType):
    def __getattr__(self, name):
        raise AttributeError(name)


_sys.modules[__name__].__class__ = _Module
