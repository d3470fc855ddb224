"""English texts have none of the forms that docs/words/en.md advises against."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.catalogues import folders, read

ROOT = Path(__file__).parents[1]

# A form to avoid, and its replacement.
FORMS = {
    r"\bso many\b": "the number, or 'as many as'",
    r"(?<!\bthere )\bis no (?!longer)\w+": "isn't, or 'is not a'",
    r"(?<!\bthere )\bis none\b": "'does not have any'",
    r"\bwhoever\b|\bwhomever\b": "'anyone who', 'the player who'",
    r"(?:^|[.:;] )who \w+s (?!\w+ing\b)[^?|\n]*(?:$|[.;])": "'a player who'",
    r"\bby (?:itself|themselves)\b": "'on its own', 'automatically'",
    r"\bat once\b": "'right away', 'at the same time'",
    r"\b(?:go|goes|going|went|gone) on\b(?! a )": "'continue'",
    r"\bof another \w+ than\b": "'a different … from'",
    r"\bwith (?:yes|no), ": "'Yes: …', 'No: …'",
    r"\blacks? (?:only|just|nothing)\b": "'needs one more'",
    r"\bplay(?:ed|s)? away\b": "'empty'",
    r"\b(?:some|any|every)body\b": "someone, anyone, everyone",
    r"\banew\b": "'again'",
    r"\bfor ever\b": "'forever'",
    r"\bread along\b": "'eavesdrop', 'read'",
}

# Pages, also those of the example, without the glossary that quotes these forms.
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted(ROOT.glob("src/upcard/games/*/how-to-play/en.md")),
    *sorted(ROOT.glob("src/upcard/games/*/rulebooks/en.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
    *sorted((ROOT / "examples").rglob("*.pot")),
]

# Files with comments after a #.
COMMENTED = [
    ROOT / "Makefile",
    ROOT / "Dockerfile",
    *(path for path in sorted((ROOT / "deploy").rglob("*")) if path.is_file()),
]

FOLDERS = ("src", "tests", "benchmarks", "examples")
PROGRAMS = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
SOURCES = [path for path in PROGRAMS if "src" in path.parts and "examples" not in path.parts]
# Modules and styles of browsers, without those of other authors.
SCRIPTS = [
    path
    for folder in FOLDERS
    for path in sorted((ROOT / folder).rglob("*.[jct]s*"))
    if path.suffix in (".js", ".css", ".ts") and not {"vendor", "node_modules"} & set(path.parts)
]


def sentences() -> dict[str, str]:
    """Return the English sentences of all catalogues by their codes."""
    messages = [message for folder in folders() for message in read(folder / "messages.pot")]
    return {m.context: m.id if isinstance(m.id, str) else "\n".join(m.id) for m in messages if m.context}


def avoidable(text: str) -> list[str]:
    """Return the forms in a text that are to be avoided, each with what to write instead."""
    # Python's None is a name: "`limit` is None" is English.
    text = re.sub(r"\bNone\b", "null", text)
    return [
        f"{match[0].strip()!r}: write {instead}"
        for form, instead in FORMS.items()
        for match in re.finditer(form, text, re.IGNORECASE | re.MULTILINE)
    ]


def joined(text: str) -> str:
    """Return a text with the lines of each paragraph joined, since a form may be broken in the middle."""
    return re.sub(r"(?<=\S)\n[ \t]*(?=[^\s|])", " ", text)


def comments(path: Path) -> str:
    """Return the comments of a file, those on neighbouring lines as one paragraph."""
    lines = (re.match(r"\s*#+\s?(.*)|.*?\s## (.*)", line) for line in path.read_text("utf-8").splitlines())
    return joined("\n".join((line[1] or line[2] or "") if line else "" for line in lines))


def comments_and_docstrings(path: Path) -> str:
    """Return the comments and docstrings of a Python file, by patterns: parsing all files takes seconds."""
    text = path.read_text("utf-8")
    found = re.findall(r'''(?:\A|:\n)\s*"""(.*?)"""''', text, re.DOTALL)
    found += re.findall(r"(?:^[ \t]*# [^\n]*\n)+", text, re.MULTILINE)
    found += re.findall(r"\S  # ([^\n\"]*)$", text, re.MULTILINE)
    return joined("\n\n".join(re.sub(r"^\s*# ", "", each, flags=re.MULTILINE) for each in found))


def comments_of_script(path: Path) -> str:
    """Return the comments of a file in JavaScript or CSS, those on neighbouring lines as one paragraph."""
    found = re.findall(r"/\*.*?\*/|(?:^[ \t]*//[^\n]*\n)+", path.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    bare = (re.sub(r"^\s*(?:/\*+|\*/?|//)[ \t]?|\s*\*/$", "", text, flags=re.MULTILINE) for text in found)
    return joined("\n\n".join(bare))


def names_of_tests(path: Path) -> str:
    """Return the names of the tests in a file as sentences, one on each line."""
    text = path.read_text("utf-8")
    if path.suffix == ".js":
        return "\n".join(re.findall(r"""^test\(["'`](.*?)["'`],""", text, re.MULTILINE))
    return "\n".join(
        name.replace("_", " ") for name in re.findall(r"^\s*(?:async )?def test_(\w+)", text, re.MULTILINE)
    )


def docstrings(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


def error_messages(path: Path) -> Iterator[str]:
    """Return the texts in the `raise` statements of a Python file."""
    for statement in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(statement, ast.Raise):
            for node in ast.walk(statement):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_sentences_avoid_these_forms() -> None:
    wrong = {code: avoidable(text) for code, text in sentences().items()}
    assert {code: forms for code, forms in wrong.items() if forms} == {}


def found_in(paths: Sequence[Path], read: Callable[[Path], str]) -> dict[str, list[str]]:
    """Return the forms to be avoided in what is read of files, by file."""
    assert paths
    found = {name(path): avoidable(read(path)) for path in paths}
    return {path: forms for path, forms in found.items() if forms}


def test_pages_avoid_these_forms() -> None:
    assert found_in(PAGES, lambda page: joined(page.read_text("utf-8"))) == {}


def test_comments_of_other_files_avoid_these_forms() -> None:
    assert found_in(COMMENTED, comments) == {}


def test_comments_of_python_files_avoid_these_forms() -> None:
    assert found_in(PROGRAMS, comments_and_docstrings) == {}


def test_comments_of_scripts_and_styles_avoid_these_forms() -> None:
    assert found_in(SCRIPTS, comments_of_script) == {}


def test_names_of_tests_avoid_these_forms() -> None:
    assert found_in(PROGRAMS + SCRIPTS, names_of_tests) == {}


def test_messages_of_errors_avoid_these_forms() -> None:
    messages = [(name(path), text) for path in SOURCES for text in error_messages(path)]
    assert len(messages) > 200
    assert [(path, avoidable(text)) for path, text in messages if avoidable(text)] == []


def test_the_help_of_commands_avoids_these_forms() -> None:
    helps = [(name(path), text) for path in SOURCES if "commands" in path.parts for text in docstrings(path)]
    assert len(helps) > 10
    assert [(path, avoidable(joined(text))) for path, text in helps if avoidable(joined(text))] == []


@pytest.mark.parametrize(
    "text",
    [
        "So many seconds has a request.",
        "This is no place for it.",
        "Whoever leaves keeps the seat.",
        "A turn ends by itself.",
        "It goes on.",
        "Everybody is asked.",
        "It lacks only one card.",
        "With yes, you may stop.",
        "Cards are dealt anew.",
    ],
)
def test_a_form_to_avoid_is_found(text: str) -> None:
    assert avoidable(text)


def test_a_form_that_is_broken_over_two_lines_is_found(tmp_path: Path) -> None:
    file = tmp_path / "file.toml"
    file.write_text("# A turn ends by\n# itself.\nname = 1\n", "utf-8")
    assert avoidable(comments(file)) == ["'by itself': write 'on its own', 'automatically'"]
    program = tmp_path / "program.py"
    program.write_text('"""A turn ends by\nitself."""\nraise ValueError(f"{1} goes on")\n', "utf-8")
    assert len(avoidable(comments_and_docstrings(program))) == 1
    assert [avoidable(text) for text in error_messages(program) if avoidable(text)]
    script = tmp_path / "script.js"
    script.write_text("  // A turn ends by\n  // itself.\nf(); /** It\n * goes on. */\n", "utf-8")
    assert len(avoidable(comments_of_script(script))) == 2


def test_a_form_in_the_name_of_a_test_is_found(tmp_path: Path) -> None:
    program, script = tmp_path / "program.py", tmp_path / "script.js"
    program.write_text(
        "def test_it_ends_by_itself() -> None: ...\ndef test_it_ends() -> None: ...\n", "utf-8"
    )
    script.write_text('test("whoever comes is let in", () => {});\n', "utf-8")
    assert [len(avoidable(names_of_tests(path))) for path in (program, script)] == [1, 1]


@pytest.mark.parametrize("text", ["There is no hurry.", "It is no longer there.", "Who plays?"])
def test_good_english_passes(text: str) -> None:
    assert avoidable(text) == []
