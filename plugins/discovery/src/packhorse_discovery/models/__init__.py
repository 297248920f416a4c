"""What crosses the wire: arguments with their limits, and answers as the specification names them."""
