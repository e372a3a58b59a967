"""FP-01: a shelf of texts."""

from F01_helpers import end, lines, text, words

from judge.harness import clause, same


@clause("FP-01.N1")
def test_help_names_the_commands(product):
    seen = product.run(["shelf", "help"])
    assert same(end(seen), ("exited", b"shelf add|turn|put NAME|get NAME|names\n", 0))


@clause("FP-01.N2")
def test_numbers_are_added_up(product, inputs):
    numbers = [inputs.integer(), inputs.integer(), inputs.integer()]
    seen = product.run(["shelf", "add"], stdin=text(numbers))
    assert same(end(seen), ("exited", text([sum(numbers)]), 0))


@clause("FP-01.B1")
def test_no_numbers_add_up_to_nothing(product):
    seen = product.run(["shelf", "add"])
    assert same(end(seen), ("exited", b"0\n", 0))


@clause("FP-01.N3")
def test_lines_are_turned_around(product, inputs):
    rows = lines(inputs)
    seen = product.run(["shelf", "turn"], stdin=text(rows))
    assert same(end(seen), ("exited", text(reversed(rows)), 0))


@clause("FP-01.N4")
def test_a_text_lies_on_the_shelf_until_it_is_wanted(product, inputs):
    name, data = inputs.word(), text(lines(inputs))
    with product.tree() as tree:
        put = tree.run(["shelf", "put", name], stdin=data)
        kept = tree.get(f"shelf.d/{name}")
        got = tree.run(["shelf", "get", name])
    assert same(end(put), ("exited", b"", 0))
    assert same(kept, data)
    assert same(end(got), ("exited", data, 0))


@clause("FP-01.N5")
def test_names_are_sorted(product, inputs):
    names = words(inputs)
    with product.tree() as tree:
        for name in reversed(names):
            tree.put(f"shelf.d/{name}", b"")
        seen = tree.run(["shelf", "names"])
    assert same(end(seen), ("exited", text(names), 0))


@clause("FP-01.N6")
def test_the_shelf_is_where_the_environment_says(product, inputs):
    place, name, data = inputs.word(), inputs.word(), text(lines(inputs))
    with product.tree() as tree:
        put = tree.run(["shelf", "put", name], stdin=data, env={"SHELF": place})
        found = [entry["path"] for entry in tree.list(place)]
    assert same(end(put), ("exited", b"", 0))
    assert same(found, [place, f"{place}/{name}"])


@clause("FP-01.E1")
def test_a_text_that_is_not_there_is_named(product, inputs):
    name, data = inputs.word(), text(lines(inputs))
    with product.tree() as tree:
        tree.put(f"shelf.d/{name}", data)
        good = tree.run(["shelf", "get", name])
        bad = tree.run(["shelf", "get", f"{name}x"])
    assert same(end(good), ("exited", data, 0))
    assert same((*end(bad), bad.stderr), ("exited", b"", 3, f"shelf: {name}x: not there\n".encode()))


@clause("FP-01.E2")
def test_a_command_that_is_not_there_is_named(product, inputs):
    command = inputs.word()
    good = product.run(["shelf", "add"], stdin=b"1\n2\n")
    bad = product.run(["shelf", command])
    assert same(end(good), ("exited", b"3\n", 0))
    assert same((*end(bad), bad.stderr), ("exited", b"", 2, f"shelf: no command '{command}'\n".encode()))
