/// The daemon's answers suggest words wherever the protocol's own errors do.
@_exported public import Spelling
