import Expressions
import JSON
import SignalGraph
import WireProtocol

/// The `where` of a subscription: which values its client wants.
///
/// It is a stranger's expression that runs for each value, so it gets few steps, may not search with regular
/// expressions, and counts as false where it fails.
final class WhereClause {
  /// How many steps each value may take at most.
  private static let steps = 1_000
  /// How long the text may be.
  private static let longest = 4_096
  /// The charge to a subscription for each byte of the text, once it is compiled.
  static let chargePerByte = 64

  let source: String
  private let expression: Expression
  private let environment = Environment(variables: [.null])

  init(_ source: String, limits: Limits) throws(WireError) {
    guard source.utf8.count <= Self.longest else {
      throw WireError(.badRequest, "\"where\" is longer than \(Self.longest) bytes")
    }
    self.source = source
    do {
      expression = try Expression(source, variables: ["signal"])
    } catch {
      let hint = error.suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
      throw WireError(
        .badRequest, "\"where\" is no expression: \(error.message), at character \(error.offset)\(hint)")
    }
    if expression.usesPatterns {
      throw WireError(.badRequest, "\"where\" may not search with regular expressions")
    }
    environment.limits = ExpressionLimits(steps: min(Self.steps, limits.expression), bytes: limits.value)
  }

  /// Whether it is true of a value of a signal.
  func holds(for value: JSONValue, of signal: String, at seconds: Double) -> Bool {
    environment.variables[0] = .string(signal)
    environment.now = seconds
    return (try? expression.isTrue(value, environment)) ?? false
  }
}
