"""How many people a caller may be shown; the figures are measured as those of `disclosure` are."""

PEOPLE_AN_HOUR = 12
"""Different people whom one caller may be shown in an hour. Honest sessions of six searches never need more."""

FIELDS_EACH = 3
"""Countries and years of birth that may be tried on people shown, for each of those people."""

TRUSTED_PEOPLE_AN_HOUR = 600
"""The same for an advocate: as many as the limit of calls lets through."""
