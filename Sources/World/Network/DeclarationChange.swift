package import JSON

/// A change of what an adapter has to know.
package struct DeclarationChange {
  /// All connections, if one of them has changed.
  package var connections: [JSONValue]?
  package var added: [JSONValue] = []
  package var changed: [JSONValue] = []
  package var removed: [String] = []

  var isEmpty: Bool { connections == nil && added.isEmpty && changed.isEmpty && removed.isEmpty }
}
