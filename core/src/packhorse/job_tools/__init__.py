"""What every client can do about long-running jobs."""
