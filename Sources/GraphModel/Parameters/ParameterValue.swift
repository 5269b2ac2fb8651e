import JSON

/// A type of parameter.
///
/// It reads itself from a file and reports the errors there.
package protocol ParameterValue: Sendable {
  /// The expected kind of value, for messages and the reference: "a duration".
  static var typeName: String { get }

  /// True if a parameter's minimum and maximum apply to it.
  static var isBounded: Bool { get }

  /// Its form in a file.
  static var shape: ParameterShape { get }

  /// The value as a file would write it, for defaults; `nil` for no value.
  var defaultText: String? { get }

  /// Reads the value of a node; `nil` after reporting its errors to `reading`.
  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Self?

  /// The signals that it names, which must be built first.
  var references: [SignalReference] { get }

  /// The signals that it sends to.
  var targets: [String] { get }

  /// The actions that it calls.
  var calls: [String] { get }

  /// The operators that it applies to each value, in order.
  var steps: [any PreparedOperator] { get }

  /// Its needs outside the graphs.
  var needs: [OutsideNeed] { get }
}

extension ParameterValue {
  package static var shape: ParameterShape { .other }
  package static var isBounded: Bool { false }
  package var defaultText: String? { "\(self)" }
  package var references: [SignalReference] { [] }
  package var targets: [String] { [] }
  package var calls: [String] { [] }
  package var steps: [any PreparedOperator] { [] }
  package var needs: [OutsideNeed] { [] }
}

/// The context in which a parameter reads itself: the file's reader, and the parameter's own bounds.
package struct ParameterReading {
  package let reader: DeclarationReader
  package let name: String
  package let minimum: Int
  package let maximum: Int
  package let shortest: Duration
  package let variables: [String]

  package init(
    reader: DeclarationReader, name: String, minimum: Int = 0, maximum: Int = 0, shortest: Duration = .zero,
    variables: [String] = []
  ) {
    self.reader = reader
    self.name = name
    self.minimum = minimum
    self.maximum = maximum
    self.shortest = shortest
    self.variables = variables
  }
}

extension Optional: ParameterValue where Wrapped: ParameterValue {
  package static var typeName: String { Wrapped.typeName }
  package static var isBounded: Bool { Wrapped.isBounded }
  package static var shape: ParameterShape { Wrapped.shape }
  package var defaultText: String? { self?.defaultText }
  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Wrapped?? {
    Wrapped.read(node, reading).map { .some($0) }
  }
  package var references: [SignalReference] { self?.references ?? [] }
  package var targets: [String] { self?.targets ?? [] }
  package var needs: [OutsideNeed] { self?.needs ?? [] }
}
