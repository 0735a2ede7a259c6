"""Puts the pages of the web site into a folder, as mkdocs wants them; see scripts/site.

Pages keep their places in the project, so that their links hold; what they link to is copied beside
them. Citations, [@yan2012, section 4.3], become links to the bibliography. Each experiment of the
gallery gets a page with its figures, its table and its report.
Arguments: folder, experiments of the gallery.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"(!?\[(?:[^\]\[]|\[[^\]]*\])*\]\()([^)\s#]+)(#[^)\s]*)?\)")
CITED = re.compile(r"\[(@[a-z][a-z-]*\d{4}[^\]]*)\](?!\()")
KEY = re.compile(r"@([a-z][a-z-]*\d{4}[a-z0-9]*)")
GALLERY = "docs/results/gallery"


def cite(text, page):
    """Each key becomes author-year-less but looked up: a link to its entry."""
    bibliography = os.path.relpath("docs/reference/bibliography.md", page.parent)

    def link(match):
        return "[" + KEY.sub(rf"[\1]({bibliography}#\1)", match[1]) + "]"

    return CITED.sub(link, text)


def outside_code(text, change):
    """Applies `change` to what stands outside of fenced blocks and code spans."""
    parts = re.split(r"(^```.*?^```|`[^`\n]*`)", text, flags=re.M | re.S)
    return "".join(part if i % 2 else change(part) for i, part in enumerate(parts))


def copy_targets(text, page, folder):
    for match in LINK.finditer(text):
        target = match[2]
        if re.match(r"[a-z]+:", target):
            continue
        path = os.path.normpath(page.parent / target)
        source, copy = ROOT / path, folder / path
        if source.is_file() and source.suffix != ".md":
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)


def copy_pages(folder):
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, check=True, capture_output=True, text=True)
    for name in listed.stdout.split():
        page = pathlib.Path(name)
        text = (ROOT / page).read_text()
        copy_targets(text, page, folder)
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        (folder / page).write_text(outside_code(text, lambda part: cite(part, page)))


def gallery_page(name, folder):
    experiment = tomllib.loads((ROOT / f"experiments/{name}.toml").read_text()).get("experiment", {})
    results = ROOT / "build/site/results" / name
    short = name.rsplit("/", 1)[-1]
    title = experiment.get("title", short)
    title = title[:1].upper() + title[1:]
    page = folder / GALLERY / f"{short}.md"
    lines = [f"# {title}", "", experiment.get("description", "").strip(), ""]
    lines += [f"Run it: `./weir run experiments/{name}.toml`.", ""]
    if (results / "report.html").exists():
        shutil.copyfile(results / "report.html", page.with_suffix(".report.html"))
        lines += [f"[Open the live report]({short}.report.html): all runs with charts, and the network replayed.", ""]
    for figure in sorted(results.glob("*.svg")):
        shutil.copyfile(figure, page.parent / f"{short}-{figure.name}")
        lines += [f"![{figure.stem}]({short}-{figure.name})", ""]
    lines += ["```", (results / "table.txt").read_text().strip(), "```", ""]
    page.write_text("\n".join(lines))
    return f"* [{title}]({short}.md)"


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    copy_pages(folder)
    (folder / GALLERY).mkdir(parents=True)
    rows = [gallery_page(name, folder) for name in sys.argv[2:]]
    text = "# Gallery\n\nComparisons of our own, each with its figures and a live report.\n\n"
    (folder / GALLERY / "README.md").write_text(text + "\n".join(rows) + "\n")


main()
