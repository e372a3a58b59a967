"""FP-01: selectors to tokens and back."""

from F01_helpers import attribute, pseudo, tag

from judge.harness import clause, same


@clause("FP-01.N1")
def test_a_compound_selector_is_a_list_of_its_tokens(product, inputs):
    name, one, other = (inputs.word(5) for _ in range(3))
    seen = product.call("tokens", text=f"{name}#{one}.{other}")
    expected = [tag(name), attribute("id", "equals", one, "quirks"), attribute("class", "element", other, "quirks")]
    assert same(seen.value, [expected])


@clause("FP-01.N2")
def test_names_of_pseudo_classes_are_lower_case(product, inputs):
    name = inputs.word(5)
    seen = product.call("tokens", text=f"{name}:FIRST-CHILD, :Not({name})")
    assert same(seen.value, [[tag(name), pseudo("first-child")], [pseudo("not", [[tag(name)]])]])


@clause("FP-01.N3")
def test_combinators_are_written_with_spaces(product, inputs):
    one, two, three, four = (inputs.word(5) for _ in range(4))
    seen = product.call("written", text=f"{one}>{two}~{three}+{four} {one}")
    assert same(seen.value, f"{one} > {two} ~ {three} + {four} {one}")


@clause("FP-01.N4")
def test_combinators_are_traversals_and_nothing_else_is(product, inputs):
    one, two = inputs.word(5), inputs.word(5)
    seen = product.call("traversals", text=f"{one} > {two}:hover")
    assert same(seen.value, [False, True, False, False])


@clause("FP-01.B1")
def test_escapes_are_read_as_code_points(product, inputs):
    letter = inputs.choice("\U0001f600\U0001f4a9\u00e9")
    seen = product.call("tokens", text=f".\\{ord(letter):x} x")
    assert same(seen.value, [[attribute("class", "element", f"{letter}x", "quirks")]])


@clause("FP-01.E1")
def test_an_empty_selector_in_a_list_is_refused(product, inputs):
    name = inputs.word(5)
    assert same(product.call("tokens", text=f"{name}, {name}").value, [[tag(name)], [tag(name)]])
    bad = product.call("tokens", text=f"{name},, {name}")
    assert bad.error.builtin == "Error"
    assert same(bad.error.message, "Empty sub-selector")
