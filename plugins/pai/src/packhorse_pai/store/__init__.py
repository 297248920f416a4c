"""What outlives a call: runs and their steps, approvals, facts, escalations, attempts, the kill switch."""
