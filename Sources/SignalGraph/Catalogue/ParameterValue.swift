import JSON

/// A type that a parameter can have: it reads itself from a file and reports what is wrong there.
protocol ParameterValue: Sendable {
  /// The expected kind of value, for messages and the reference: "a duration".
  static var typeName: String { get }

  /// Whether a parameter's minimum and maximum hold for it.
  static var isBounded: Bool { get }

  /// The shape in which a file can write it.
  static var shape: ParameterShape { get }

  /// How a file would write it, where it is a default; `nil` for nothing.
  var defaultText: String? { get }

  /// The value of a node, or `nil` after telling `reading` what is wrong with it.
  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Self?

  /// The signals that it names, which must be built before.
  var references: [SignalReference] { get }

  /// The signals that it sends to.
  var targets: [String] { get }

  /// The actions that it calls.
  var calls: [String] { get }

  /// The operators that it has for each value, in their order.
  var steps: [any PreparedOperator] { get }

  /// The things that it needs of the world outside.
  var needs: [OutsideNeed] { get }
}

extension ParameterValue {
  static var shape: ParameterShape { .other }
  static var isBounded: Bool { false }
  var defaultText: String? { "\(self)" }
  var references: [SignalReference] { [] }
  var targets: [String] { [] }
  var calls: [String] { [] }
  var steps: [any PreparedOperator] { [] }
  var needs: [OutsideNeed] { [] }
}

/// The surroundings in which a parameter reads itself: the file's reader, and the parameter's own bounds.
struct ParameterReading {
  let reader: DeclarationReader
  let name: String
  let minimum: Int
  let maximum: Int
  let variables: [String]
}

extension Optional: ParameterValue where Wrapped: ParameterValue {
  static var typeName: String { Wrapped.typeName }
  static var isBounded: Bool { Wrapped.isBounded }
  static var shape: ParameterShape { Wrapped.shape }
  var defaultText: String? { self?.defaultText }
  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Wrapped?? {
    Wrapped.read(node, reading).map { .some($0) }
  }
  var references: [SignalReference] { self?.references ?? [] }
  var needs: [OutsideNeed] { self?.needs ?? [] }
}
