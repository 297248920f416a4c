"""Who may use what, and where it is found: the words that tools and pages share."""

from packhorse.contract.principal import AUTHENTICATED

PLANNERS = frozenset({"COORDINATOR", "ADMIN"})
EVERYBODY = PLANNERS | {"FACULTY", "RESIDENT", "RN", "LPN", "MSA"}
"""Whoever holds one of the specification's roles."""
ANYBODY = frozenset({AUTHENTICATED})
"""The specification's "any authenticated user"."""

HTTP = "packhorse/http"
"""Where an offer answers plain HTTP too; the paths are those of the specification's appendix B."""
API = "/api/v1/mcp"

CURRENT, HEALTH, VIOLATIONS = "schedule://current", "resilience://health", "schedule://violations"
INBOX = "schedule://requests"
PEOPLE, ON_CALL = "schedule://people", "schedule://on-call"
