"""The text of modules: imports, constants, and functions in the order of the Python code."""

from __future__ import annotations

__all__ = ["MEMORY", "write"]

import os.path
from collections.abc import Iterator
from pathlib import Path

from upcard.core.javascript.program import Module, Program

RUNTIME = Path(__file__).parent / "runtime"
# The size of the memory in numbers of 32 bits: 32 MB, of which only the used part is ever allocated.
MEMORY = 1 << 23
# Names that modules store as local constants, by the names under which they import them.
KEPT = {"M": "memory", "RETURNED": "returned"}


def write(program: Program, memory: int = MEMORY) -> dict[str, str]:
    """Return the text of all modules of a program by their paths, including those written by hand."""
    written = {path.name: path.read_text("utf-8") for path in sorted(RUNTIME.glob("*.js"))}
    written["memory.js"] = written["memory.js"].replace("@WORDS@", str(memory))
    for name, module in program.modules.items():
        written[f"{name}.js"] = "\n".join(_parts(name, module))
    return written


def _parts(name: str, module: Module) -> Iterator[str]:
    yield "// Translated from Python. Change the rules there.\n"
    imports = [_import(name, other, names) for other, names in sorted(module.imports.items())]
    if imports:
        yield "\n".join(imports) + "\n"
    # Engines treat it as a constant only if it is local to the module.
    own = [f"const {key} = {kept};" for key, kept in KEPT.items() if key in module.imports.get("memory", ())]
    own += [
        f"{'export ' if key in module.exported else ''}const {key} = {value};"
        for key, value in sorted(module.constants.items())
    ]
    if own:
        yield "\n".join(own) + "\n"
    file = ""
    for function in sorted(module.functions, key=lambda one: one.source):
        if function.source[0] != file:
            file = function.source[0]
            yield f"// {file}\n"
        yield function.written()


def _import(name: str, other: str, names: set[str]) -> str:
    written = [f"{one} as {KEPT[one]}" if one in KEPT else one for one in sorted(names)]
    return f'import {{ {", ".join(written)} }} from "{path_between(name, other)}";'


def path_between(name: str, other: str) -> str:
    """Return the path by which a module imports another one."""
    path = os.path.relpath(f"{other}.js", os.path.dirname(name) or ".")  # noqa: PTH120
    return path if path.startswith(".") else f"./{path}"
