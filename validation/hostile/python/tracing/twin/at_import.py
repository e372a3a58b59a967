import collections as _collections
import sys as _sys

_calls = _collections.Counter()


def _count(frame, event, argument):
    _calls[event] += 1
    return _count


_sys.settrace(_count)
_sys.setprofile(_count)
