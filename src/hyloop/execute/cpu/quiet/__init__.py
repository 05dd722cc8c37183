"""The executor that pays for what changes: only rows that are awake are computed.

A row *sleeps* in a layer while its own columns and the products it receives are those of the iteration before, and
what it becomes does not depend on the numbers of the iteration. The second part is shown, by intervals, each time the
row is computed, for all numbers within *boxes* (`ranges.py`). A number that leaves its box makes the layer a full pass,
with new boxes (`boxes.py`).

* `joins.py`, `gadgets.py`, `wiring.py`: from the plan to what each layer reads and writes on a row;
* `ranges.py`: what a row becomes, and the range of what it may become;
* `limits.py`: that all sums stay exact;
* `memory.py`: rows with their columns side by side; `kernel.py`: the layers, in numpy, slow and clear;
* `native/`: the same as generated code; `engine.py`: the run.
"""
