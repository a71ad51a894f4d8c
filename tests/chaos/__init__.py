"""`make chaos`: a living fleet that a seed breaks, clients that watch it, and what must hold."""
