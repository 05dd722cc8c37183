"""The fast executor: the same function of the same weights, in time linear in rows and incidences.

It finds from the weights what every head does (`plan.py`) and computes just that, exactly: by native code generated
for the model (`native/`), or by numpy (`engine_numpy.py`). States equal those of dense bit for bit; no state
ever holds -0.
"""

from hyloop.execute.cpu.engines import ENGINE_VARIABLE
from hyloop.execute.cpu.session import ENGINES, start

__all__ = ["ENGINES", "ENGINE_VARIABLE", "start"]
