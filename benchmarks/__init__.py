"""One file a subject; each exports `rows()`: what, our seconds, the peer's seconds, and the target in words."""
