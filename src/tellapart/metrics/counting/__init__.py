"""From what systems wrote, and what they should have written, to counts per item."""
