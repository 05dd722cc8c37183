"""Watching a run: a page that shows a trace, complete in one file, and a server that runs again what is edited in it.

`page` makes the file, `server` serves it on this machine, `asked` reads what the page asks for.
"""
