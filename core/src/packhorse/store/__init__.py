"""Where packs keep data: one contract over SQLite and PostgreSQL."""
