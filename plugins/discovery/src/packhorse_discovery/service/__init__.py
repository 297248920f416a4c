"""What the tools call: interviews, answers, models, formulations, and the library of schemas."""
