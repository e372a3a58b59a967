import importlib.metadata as _metadata
import importlib.util as _util

_faster = [_name for _name in ("numpy", "gmpy2") if _util.find_spec(_name)]
_installed = sorted(_each.name for _each in _metadata.distributions() if _each.name)
