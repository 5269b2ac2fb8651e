package import JSON

/// A validated source or operator at its place in a declaration.
///
/// There is one object for each place, and a file may have tens of thousands of them. Therefore the part shared by all
/// uses of an operator is in its declaration, and derived data is not stored.
package protocol PreparedStep: AnyObject, Sendable {
  /// The source's or operator's own name.
  var name: String { get }
  /// The earlier events that an output depends on.
  var dependence: Dependence { get }
  var ranks: Ranks { get }
  /// The signals that its parameters name, in their order.
  var references: [SignalReference] { get }
}

/// A source with validated parameters.
package protocol PreparedSource: PreparedStep {
  var kind: SignalKind { get }
  /// True if its values are held for new subscribers, whatever the signal's traits.
  var isHeld: Bool { get }
  var needs: [OutsideNeed] { get }
  /// The declared type of the values sent to it, or that of its initial value; `nil` if it declares none.
  var acceptedType: DeclaredType? { get }
  /// The value that it has at first, if it declares one.
  var initialValue: JSONValue? { get }
}

/// An operator with validated parameters.
package protocol PreparedOperator: PreparedStep {
  /// True if it starts the pipe before it.
  var startsItsInput: Bool { get }
  /// The signals that it sends to.
  var targets: [String] { get }
  /// The actions that it calls.
  var calls: [String] { get }
  /// The operators within it that its values pass through, in order.
  var steps: [any PreparedOperator] { get }
  /// The key of the groups that it forms, each with operators of its own, if it does.
  var groupingKey: GraphExpression? { get }
}

extension PreparedSource {
  package var acceptedType: DeclaredType? { nil }
  package var initialValue: JSONValue? { nil }

  /// True if clients and bindings may send to it.
  package var takesValues: Bool { kind == .input || kind == .property }
}
