/// One graph, read and found right.
package struct GraphDeclaration: Sendable {
  package let name: String
  package let documentation: String?
  /// In the order of the file.
  package let signals: [SignalDeclaration]
}
