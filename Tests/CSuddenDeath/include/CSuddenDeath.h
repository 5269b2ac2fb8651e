// Nothing is called from outside.
