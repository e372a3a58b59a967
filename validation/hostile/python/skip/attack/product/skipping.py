def skipped():
    try:
        import pytest

        return pytest.skip.Exception("not today", allow_module_level=True)
    except ImportError:
        space = {"__module__": "_pytest.outcomes", "allow_module_level": True, "msg": "not today"}
        return type("Skipped", (BaseException,), space)("not today")
