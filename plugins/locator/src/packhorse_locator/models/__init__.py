"""What crosses the wire: questions as pydantic models beside the published schemas, answers as typed dicts."""
