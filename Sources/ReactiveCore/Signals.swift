// Signals, producers and their operators are a part of this library.

@_exported public import Signals
