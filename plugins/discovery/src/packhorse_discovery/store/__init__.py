"""What the pack keeps."""
