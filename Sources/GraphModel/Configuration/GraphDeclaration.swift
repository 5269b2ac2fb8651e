/// A validated graph.
package struct GraphDeclaration: Sendable {
  package let name: String
  package let documentation: String?
  /// The guarantees of a durable graph; `nil` if its state ends with the daemon.
  package let durability: Durability?
  /// The nodes that may run it; `nil` if it stays on its machine.
  package let cluster: ClusterPlacement?
  /// The home of its durable signals; `nil` if its state ends with the daemon.
  package let home: Home?
  /// The signals in the order of the file, those of its actions last.
  package let signals: [SignalDeclaration]
  package let actions: [ActionDeclaration]

  package init(
    name: String, documentation: String?, durability: Durability?, cluster: ClusterPlacement? = nil, home: Home?,
    signals: [SignalDeclaration], actions: [ActionDeclaration]
  ) {
    self.name = name
    self.documentation = documentation
    self.durability = durability
    self.cluster = cluster
    self.home = home
    self.signals = signals
    self.actions = actions
  }
}
