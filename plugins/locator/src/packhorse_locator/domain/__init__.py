"""The pure middle: people, numbers, facilities, queries. Values in, values out."""
