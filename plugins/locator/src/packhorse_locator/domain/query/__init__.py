"""A sentence read strictly as one search: right or refused, and a refusal carries the form as far as it is filled."""
