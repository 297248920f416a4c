"""The pack's store on PostgreSQL, and moving a deployment there. Nothing here is imported on SQLite."""
