"""What past results say, and evidence of one's own."""
