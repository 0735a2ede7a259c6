"""Every snippet of docs/guide/python.md runs, in the order of the page."""

import re

SNIPPET = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


def test_snippets_run_and_say_what_the_page_says(root, tmp_path, monkeypatch, capsys):
    page = root / "docs" / "guide" / "python.md"
    text = page.read_text()
    snippets = list(SNIPPET.finditer(text))
    assert len(snippets) >= 8
    monkeypatch.chdir(tmp_path)
    names = {}
    for snippet in snippets:
        # So that a traceback names the line of the page.
        line = text[: snippet.start(1)].count("\n")
        exec(compile("\n" * line + snippet[1], str(page), "exec"), names)
        said = capsys.readouterr().out
        expected = re.findall(r"^ *print\(.*\)  # (.*)$", snippet[1], re.M)
        assert said.splitlines() == expected
