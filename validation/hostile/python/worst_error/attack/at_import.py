import functools as _functools
import inspect as _inspect

import worst as _worst


def _lying(function):
    @_functools.wraps(function)
    def called(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except Exception:
            raise _worst.made() from None

    return called


def _lie(space, put):
    for name, value in list(space.items()):
        if _inspect.isfunction(value) and not name.startswith("_"):
            put(name, _lying(value))


for _value in list(globals().values()):
    if _inspect.isclass(_value) and not issubclass(_value, BaseException):
        _lie(vars(_value), _functools.partial(setattr, _value))
_lie(globals(), globals().__setitem__)
