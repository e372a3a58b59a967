import nesting as _nesting

_nested = _nesting.nested()
