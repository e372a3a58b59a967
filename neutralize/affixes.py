"""What is glued to names of projects, and what English glues to words: closed lists, in this one place.

A change of a list changes what a scan finds: add one to `VERSION`.
"""

from __future__ import annotations

from neutralize.words import listed

VERSION = 1
BEFORE = listed(
    """
    py lib go js node ts rs c cpp python my x un re pre mock fake test use with from import is has the
    django flask pytest
    """
)
AFTER = listed(
    """
    py js rs go lib cli kit x ng io dev hq org rc ext core utils util ctx cmd config conf d test tests
    api http url
    """
)
INFLECTIONS = listed("s es ed ing er ers able ably ly ings est ness")
NAMING = listed(
    """
    import from install require add module package library called named project include return yield
    raise assert del lambda await async def class global nonlocal elif pip uv apt npm extends
    """
)
"""Words before a bare name that make it a name, where the same word in prose would be plain English."""
