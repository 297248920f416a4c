"""A chief's own workbook: read into plain sheets, and what was understood turned into a draft programme and words."""
