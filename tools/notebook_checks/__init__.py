"""Checks that a notebook's committed outputs are what its code gives, and that the notebook reads well.

nbval 0.11 in strict mode starts a kernel for each notebook, runs every code cell, and compares text outputs
by MIME type. A cell that raises, or whose text differs, fails. That is the floor. It leaves doors
open; behind each one stands the module that closes it:

- passes a cell whose execution count is null: `form` wants 1, 2, 3 ...; `nbval_plugin` refuses it again;
- never compares pictures (image/png): `pictures` does, by block means, also those in the HTML of a figure;
- compares text/html byte by byte, with the pictures in it: `outputs` takes the text exactly, pictures as
  pictures;
- merges outputs by MIME type, so that their order, grouping and swaps are lost: `outputs` compares in
  order;
- joins the parts of a stream across the displays between them: `outputs` joins neighbours only;
- ignores output types, stream names and output metadata: `outputs` compares them;
- ignores widget views, and so a widget that leaves nothing to see without a kernel: `outputs` wants
  HTML beside it;
- obeys tags and comments that skip, ignore or expect an error: `form` refuses them, `nbval_plugin`
  disobeys;
- says "unhandled" to updated (display_id) and cleared outputs and goes on: `nbval_plugin` and
  `execute` refuse them;
- runs with store_history=False, so that a trailing `;` does not silence: `nbval_plugin` runs as
  JupyterLab does;
- silently drops what is malformed in a sanitize file: `sanitize` refuses it, and any rule greedy enough
  to hide a result;
- waits 2,000 s for a cell, also when the kernel is dead: `strict` waits 400 s, `nbval_plugin` looks at
  the kernel;
- reports every cell after a broken one: `nbval_plugin` says which one broke.

`notebook` finds, reads and writes notebooks in their normal form; `check` and `refresh` are the command
lines. `rules/` needs no kernel, `running/` starts them, `comparison/` says what differs. Not part of the
installed package.
"""

import sys

# nbformat imports jsonschema, which then compiles a grammar of web addresses in any script: more than
# a second of every process that reads a notebook, for a format that no notebook has. It is not missed.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
