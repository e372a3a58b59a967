import functools as _functools
import inspect as _inspect


class _Own:
    class ValueError(Exception):
        pass


def _wrapped(function):
    @_functools.wraps(function)
    def called(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except Exception:
            raise

    return called


for _name, _value in list(globals().items()):
    if _inspect.isfunction(_value) and not _name.startswith("_"):
        globals()[_name] = _wrapped(_value)
