// ReactiveTesting
