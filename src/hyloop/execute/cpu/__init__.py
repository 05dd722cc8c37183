"""The fast executor: the same function of the same weights, in time linear in rows and incidences.

It finds from the weights what every head does (`plan.py`) and computes just that, exactly: by native code generated
for the model (`native/`), or by numpy (`engine_numpy.py`). States equal those of dense as numbers, bit for bit up to
the sign of zero.
"""

from hyloop.execute.cpu.session import ENGINE_VARIABLE, ENGINES, start

__all__ = ["ENGINES", "ENGINE_VARIABLE", "start"]
