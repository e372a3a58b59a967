"""Inputs follow from seed and node alone."""

from __future__ import annotations

from judge.harness.inputs import Inputs


def test_the_same_seed_and_node_give_the_same_inputs_and_any_other_others() -> None:
    def drawn(seed: str, node: str) -> tuple[str, str, bytes, int]:
        inputs = Inputs(seed, node)
        return inputs.word(), inputs.text(), inputs.token(), inputs.integer()

    assert drawn("s", "n") == drawn("s", "n")
    assert len({drawn("s", "n"), drawn("t", "n"), drawn("s", "m")}) == 3


def test_text_always_leaves_ascii() -> None:
    inputs = Inputs("s", "n")
    for _ in range(200):
        text = inputs.text(2)
        assert len(text) == 2
        assert not text.isascii()
        text.encode()
