internal import Expressions
internal import JSON
internal import Linux

/// An expression that a value must be true of.
///
/// It is evaluated here and not by the daemon, so that it may be as long as it likes and a mistake in it shows its place.
struct Condition {
  private let expression: Expression
  private let environment: Environment

  init(_ source: String, signal: String) throws(CommandError) {
    do throws(ExpressionSyntaxError) {
      expression = try Expression(source, variables: ["signal"])
    } catch {
      throw .usage("--where: \(Self.explanation(of: error, in: source))")
    }
    environment = Environment(variables: [.string(signal)])
  }

  /// Whether it is true of a value; one on which it fails is not what is looked for.
  func holds(for value: JSONValue) -> Bool {
    environment.now = Double(WallTime.now().microseconds) / 1_000_000
    return (try? expression.isTrue(value, environment)) ?? false
  }

  private static func explanation(of error: ExpressionSyntaxError, in source: String) -> String {
    let hint = error.suggestion.map { "; did you mean \($0)?" } ?? ""
    let caret = String(repeating: " ", count: error.offset) + String(repeating: "^", count: max(1, error.length))
    return source.contains("\n") ? error.message + hint : "\(error.message)\(hint)\n  \(source)\n  \(caret)"
  }
}
