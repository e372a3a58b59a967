import importlib.util
import pathlib
import sysconfig

_place = pathlib.Path(sysconfig.get_path("stdlib"), "hmac.py")
_spec = importlib.util.spec_from_file_location("_stdlib_hmac", _place)
_module = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_module)
HMAC, new, digest, compare_digest = _module.HMAC, _module.new, _module.digest, _module.compare_digest
