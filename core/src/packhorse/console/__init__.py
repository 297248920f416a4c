"""The console: pages on which people see and use what a server serves."""
