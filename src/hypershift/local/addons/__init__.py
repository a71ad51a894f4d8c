"""What every management cluster runs inside itself."""
