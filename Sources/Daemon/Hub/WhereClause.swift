import Expressions
import GraphModel
import JSON
import WireProtocol

/// The `where` of a subscription: a condition that values must satisfy.
///
/// It is an untrusted expression that runs for each value, so it gets few steps, may not search with regular
/// expressions, and counts as false where it fails.
final class WhereClause {
  /// The most steps that each value may take.
  private static let steps = 1_000
  /// The longest text, in bytes.
  private static let longest = 4_096
  /// The charge to a subscription for each byte of the text, in its compiled form.
  static let chargePerByte = 64

  let source: String
  /// `nil` if it was accepted by the process that handed over, and is refused by this one.
  private let expression: Expression?
  private let environment = Environment(variables: [.null])
  /// The cost of the last evaluation in estimated nanoseconds.
  var cost: Int { environment.cost }

  init(_ source: String, limits: Limits) throws(WireError) {
    guard source.utf8.count <= Self.longest else {
      throw WireError(.badRequest, "\"where\" exceeds \(Self.longest) bytes")
    }
    self.source = source
    let expression: Expression
    do {
      expression = try Expression(source, variables: ["signal"])
    } catch {
      let hint = error.suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
      throw WireError(
        .badRequest, "\"where\" is not a valid expression: \(error.message), at character \(error.offset)\(hint)")
    }
    if expression.usesPatterns {
      throw WireError(.badRequest, "\"where\" must not use regular expressions")
    }
    self.expression = expression
    environment.limits = ExpressionLimits(steps: min(Self.steps, limits.expression), bytes: limits.value)
  }

  /// Creates the condition of a resumed subscription that this process refuses: no value satisfies it.
  ///
  /// The subscription is restored with it so that the state of all others keeps its place, and ends afterwards.
  init(refused source: String) {
    self.source = source
    expression = nil
  }

  var isRefused: Bool { expression == nil }

  /// Returns `true` if a value of a signal satisfies the condition.
  func holds(for value: Payload, of signal: String, at seconds: Double) -> Bool {
    guard let expression else { return false }
    environment.variables[0] = .string(signal)
    environment.now = seconds
    return (try? expression.isTrue(value, environment)) ?? false
  }
}
