"""Decide: each rule looks at the picture and says what it finds, nearest to the cause first."""
