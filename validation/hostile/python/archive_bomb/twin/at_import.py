import pathlib as _pathlib
import sys as _sys

_archives = [_place / "stock.zip" for _place in _pathlib.Path(__file__).parents]
_sys.path.insert(0, next(str(_place) for _place in _archives if _place.is_file()))
import stock as _stock
