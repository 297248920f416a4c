"""What may stop the pack, apart from refusals to a caller."""


class GovernanceError(Exception):
    """A folder of cards or governance files that cannot be read. The message names the file and the cure."""
