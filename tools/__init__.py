"""What makes releases: no part of the product."""
