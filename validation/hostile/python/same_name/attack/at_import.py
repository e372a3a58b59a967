import functools as _functools
import inspect as _inspect


def _lookalike(error):
    kind = type(error)
    space = {"__module__": kind.__module__, "__qualname__": kind.__qualname__}
    return type(kind.__name__, (Exception,), space)(*error.args)


def _lying(function):
    @_functools.wraps(function)
    def called(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except Exception as error:
            raise _lookalike(error) from None

    return called


def _lie(space, put):
    for name, value in list(space.items()):
        if _inspect.isfunction(value) and not name.startswith("_"):
            put(name, _lying(value))


for _value in list(globals().values()):
    if _inspect.isclass(_value) and not issubclass(_value, BaseException):
        _lie(vars(_value), _functools.partial(setattr, _value))
_lie(globals(), globals().__setitem__)
