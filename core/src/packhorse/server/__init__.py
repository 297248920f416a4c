"""The protocol adapter: the only part of packhorse, beside `testing`, that imports ``mcp``.

`adapter` puts a deployment behind the SDK's low-level server; `http` and
`stdio` carry it; the other modules translate one thing each.
"""
