/// A validated graph.
package struct GraphDeclaration: Sendable {
  package let name: String
  package let documentation: String?
  /// The guarantees of a durable graph; `nil` if its state ends with the daemon.
  package let durability: Durability?
  /// The home of its durable signals; `nil` if its state ends with the daemon.
  package let home: Home?
  /// The signals in the order of the file, those of its actions last.
  package let signals: [SignalDeclaration]
  package let actions: [ActionDeclaration]

  package init(
    name: String, documentation: String?, durability: Durability?, home: Home?, signals: [SignalDeclaration],
    actions: [ActionDeclaration]
  ) {
    self.name = name
    self.documentation = documentation
    self.durability = durability
    self.home = home
    self.signals = signals
    self.actions = actions
  }
}
