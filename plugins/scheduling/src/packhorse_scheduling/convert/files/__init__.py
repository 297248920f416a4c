"""Programmes and rosters as files: JSON, CSV, workbooks and calendars."""
