"""What is noted in the scope of an HTTP request on its way in."""

MESSAGE = "packhorse.message"
"""Of a POST that has been admitted: its body as JSON."""

PLAIN = "packhorse.plain"
"""Of a request to an offer's own route: neither its body nor its answer is a message of the protocol."""

PRINCIPAL = "packhorse.principal"
"""The caller, where one was looked for."""

ADDRESS = "packhorse.address"
"""What the caller's address is counted by."""

HOLDER = "packhorse.holder"
"""Who holds what the request takes of anything bounded."""

CONNECTION = "packhorse.connection"
"""In the ``state`` of the scope: the connection that the request came on."""
