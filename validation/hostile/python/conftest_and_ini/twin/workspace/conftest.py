import pytest


@pytest.fixture
def greeting():
    return "the product's own tests may have fixtures"
