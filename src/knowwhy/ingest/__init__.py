"""Evidence coming in: what a caller hands over becomes evidence, and claims with their quoted words."""
