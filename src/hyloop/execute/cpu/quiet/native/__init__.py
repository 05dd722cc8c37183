"""Generated code for layers on rows that are awake: the same as `kernel.py`, on the same memory."""
