#!/usr/bin/env python3
"""Code that a page shows as the whole of a file is that file, byte for byte.

A page says so by a comment before the code:  <!-- file: examples/models/leaf_modulo.cpp -->
Argument: the root of the project.
"""

import pathlib
import re
import sys

SHOWN = re.compile(r"<!-- file: (\S+) -->\n```\w*\n(.*?)```\n", re.DOTALL)


def main():
    root = pathlib.Path(sys.argv[1])
    shown = 0
    wrong = []
    for page in sorted([*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("examples/**/*.md")]):
        text = page.read_text()
        found = SHOWN.findall(text)
        shown += len(found)
        if len(found) != text.count("<!-- file: "):
            wrong.append(f"{page.relative_to(root)}: a comment '<!-- file: ... -->' has no code after it")
        for name, code in found:
            file = root / name
            if not file.is_file():
                wrong.append(f"{page.relative_to(root)}: shows {name}, which does not exist")
            elif file.read_text() != code:
                wrong.append(f"{page.relative_to(root)}: {name} is not what the page shows")
    if shown == 0:
        wrong.append("no page shows a file")
    print("\n".join(wrong) or f"{shown} files are as the pages show them")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
