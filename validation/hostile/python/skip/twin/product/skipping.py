def skipped_where_pytest_is():
    import pytest

    pytest.skip("the product's own tests may skip")
