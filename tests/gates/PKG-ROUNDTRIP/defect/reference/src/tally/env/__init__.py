"""What this copy was made for."""
