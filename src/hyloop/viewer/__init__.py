"""The viewer: a self-contained page that shows a trace, and a server that reruns what is edited in it.

`page` makes the page, `server` serves it on this machine, `asked` parses its requests.
"""
