import JSON

/// One graph, read and found right.
package struct GraphDeclaration: Sendable {
  package let name: String
  package let documentation: String?
  /// In the order of the file.
  package let signals: [SignalDeclaration]
  /// Each signal behind everything that it is computed from.
  let buildOrder: [SignalDeclaration]
  /// What a reload compares: the declarations after `${…}` was replaced, without what applies in place.
  let fingerprint: JSONValue
}
