"""Signing people in: at an OpenID provider, for clients that then get tokens of this server's own.

The server is an OAuth authorization server to its clients and a client of the
provider. What must be remembered between two requests travels sealed with
them, so that every process of a deployment can go on; what may happen only
once, and what can be taken back, is in the store.
"""
