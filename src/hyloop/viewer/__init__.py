"""The viewer: a self-contained page that shows a trace, and runs the transformer again on what is edited in it.

`page` makes the page of one run; `playground` one with all algorithms, from `library`, and `examples`.
"""
