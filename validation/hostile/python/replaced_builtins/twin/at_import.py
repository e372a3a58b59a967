import builtins as _builtins

_builtins.shout = lambda text: text.upper()
_len = _builtins.len
_builtins.len = lambda thing: _len(thing)
