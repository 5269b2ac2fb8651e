internal import Expressions
internal import JSON
internal import Linux

/// The condition for values.
///
/// It is evaluated here and not by the daemon, so that it may have any length and its syntax errors can be shown in
/// place.
struct WhereClause {
  private let expression: Expression
  private let environment: Environment

  init(_ source: String, signal: String) throws(CommandError) {
    do throws(ExpressionSyntaxError) {
      expression = try Expression(source, variables: ["signal"])
    } catch {
      let hint = error.suggestion.map { "; did you mean \($0)?" } ?? ""
      throw .usage("--where: \(error.message)\(hint)", excerpt: Self.excerpt(of: source, at: error))
    }
    environment = Environment(variables: [.string(signal)])
  }

  /// Returns `true` if a value satisfies the condition.
  func holds(for value: JSONValue) throws(ExpressionError) -> Bool {
    environment.now = Double(WallTime.now().microseconds) / 1_000_000
    return try expression.isTrue(value, environment)
  }

  /// Returns the expression with its error marked; empty if the mark would be misaligned.
  private static func excerpt(of source: String, at error: ExpressionSyntaxError) -> [String] {
    guard source.visible == source else { return [] }
    let caret = String(repeating: " ", count: error.offset) + String(repeating: "^", count: max(1, error.length))
    return [source, caret]
  }
}
