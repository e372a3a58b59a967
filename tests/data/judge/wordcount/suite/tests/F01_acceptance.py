"""FP-01: counting."""

from F01_helpers import prose, report

from judge.harness import clause, same


@clause("FP-01.N1")
def test_standard_input_is_counted(product, inputs):
    data, counts = prose(inputs)
    seen = product.run(["wordcount"], stdin=data)
    assert same((seen.exit, seen.stdout, seen.stderr), (0, report(counts), b""))


@clause("FP-01.B1")
def test_nothing_has_no_lines_no_words_and_no_bytes(product):
    seen = product.run(["wordcount"])
    assert same((seen.exit, seen.stdout), (0, b"0 0 0\n"))


@clause("FP-01.B2")
def test_a_last_line_without_an_end_counts_its_words_and_no_line(product, inputs):
    data, (lines, words, size) = prose(inputs)
    word = inputs.word().encode()
    seen = product.run(["wordcount"], stdin=data + word)
    assert same((seen.exit, seen.stdout), (0, report((lines, words + 1, size + len(word)))))


@clause("FP-01.N2")
def test_each_file_is_counted_and_named_in_the_order_given(product, inputs):
    one, other = prose(inputs), prose(inputs, lines=3)
    with product.tree() as tree:
        tree.put("one.txt", one[0])
        tree.put("deep/other.txt", other[0])
        seen = tree.run(["wordcount", "one.txt", "deep/other.txt"])
    expected = report(one[1], "one.txt") + report(other[1], "deep/other.txt")
    assert same((seen.exit, seen.stdout), (0, expected))


@clause("FP-01.N3")
def test_a_report_goes_into_the_file_that_is_named(product, inputs):
    data, counts = prose(inputs)
    with product.tree() as tree:
        tree.put("text", data)
        seen = tree.run(["wordcount", "-o", "report", "text"])
        assert same((seen.exit, seen.stdout), (0, b""))
        assert same(tree.get("report"), report(counts, "text"))
        assert same(sorted(entry["path"] for entry in tree.list()), ["report", "text"])
        assert same(tree.get("text"), data)


@clause("FP-01.N4")
def test_the_separator_comes_from_the_environment(product, inputs):
    data, counts = prose(inputs)
    seen = product.run(["wordcount"], stdin=data, env={"WORDCOUNT_SEPARATOR": "|"})
    assert same((seen.exit, seen.stdout), (0, report(counts, between="|")))


@clause("FP-01.E1")
def test_a_file_that_is_not_there_is_named_and_the_others_are_counted(product, inputs):
    data, counts = prose(inputs)
    with product.tree() as tree:
        tree.put("text", data)
        good = tree.run(["wordcount", "text"])
        bad = tree.run(["wordcount", "gone", "text"])
    assert same((good.exit, good.stdout, good.stderr), (0, report(counts, "text"), b""))
    assert same((bad.exit, bad.stdout), (1, report(counts, "text")))
    assert same(bad.stderr, b"wordcount: gone: no such file\n")
