"""The rules: each reads the picture and yields findings; those nearest to the cause come first."""
