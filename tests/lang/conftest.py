import pytest


@pytest.fixture(autouse=True)
def _meaning(interpreted):
    """These tests are about what programs mean."""
