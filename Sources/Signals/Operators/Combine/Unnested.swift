// The tuples of nested pairs, as the trees of `SourcePair` yield them.

@inlinable func unnested<A, B, C>(_ nested: ((A, B), C)) -> (A, B, C) {
  (nested.0.0, nested.0.1, nested.1)
}

@inlinable func unnested<A, B, C, D>(_ nested: ((A, B), (C, D))) -> (A, B, C, D) {
  (nested.0.0, nested.0.1, nested.1.0, nested.1.1)
}

@inlinable func unnested<A, B, C, D, E>(_ nested: (((A, B), (C, D)), E)) -> (A, B, C, D, E) {
  (nested.0.0.0, nested.0.0.1, nested.0.1.0, nested.0.1.1, nested.1)
}

@inlinable func unnested<A, B, C, D, E, F>(_ nested: (((A, B), (C, D)), (E, F))) -> (A, B, C, D, E, F) {
  (nested.0.0.0, nested.0.0.1, nested.0.1.0, nested.0.1.1, nested.1.0, nested.1.1)
}

@inlinable func unnested<A, B, C, D, E, F, G>(_ nested: (((A, B), (C, D)), ((E, F), G))) -> (A, B, C, D, E, F, G) {
  (nested.0.0.0, nested.0.0.1, nested.0.1.0, nested.0.1.1, nested.1.0.0, nested.1.0.1, nested.1.1)
}

@inlinable func unnested<A, B, C, D, E, F, G, H>(_ nested: (((A, B), (C, D)), ((E, F), (G, H)))) -> (
  A, B, C, D, E, F, G, H
) {
  (nested.0.0.0, nested.0.0.1, nested.0.1.0, nested.0.1.1, nested.1.0.0, nested.1.0.1, nested.1.1.0, nested.1.1.1)
}
