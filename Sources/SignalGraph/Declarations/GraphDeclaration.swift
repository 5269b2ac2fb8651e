/// One graph, read and found right.
package struct GraphDeclaration: Sendable {
  package let name: String
  package let documentation: String?
  /// The promises of a durable graph; `nil` if its state ends with the daemon.
  package let durability: Durability?
  /// In the order of the file, those of its actions last.
  package let signals: [SignalDeclaration]
  package let actions: [ActionDeclaration]
}
