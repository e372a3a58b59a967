import hashlib
import importlib

import oldtally
import pytest
from oldtally.counter import OLDTALLY_SALT, Counter, stamp


class TestOldTallyCounter:
    @pytest.mark.parametrize("name", ["count", "recount_all"])
    def test_counter_has(self, name):
        assert callable(getattr(Counter(), name))

    def test_count(self):
        assert oldtally.count("||x|") == 3


def test_module_is_found_by_name():
    module = importlib.import_module("oldtally.counter")
    assert module.Counter is oldtally.Counter


def test_stamp_follows_from_the_salt():
    assert stamp() == hashlib.sha256(OLDTALLY_SALT).hexdigest()[:8]
    assert OLDTALLY_SALT == b"oldtally.Counter"
