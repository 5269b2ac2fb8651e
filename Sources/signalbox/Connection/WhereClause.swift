internal import Expressions
internal import JSON
internal import Linux

/// An expression that must be true for a value.
///
/// It is evaluated here and not by the daemon, so that it may have any length and a mistake in it shows its place.
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

  /// Whether it is true for a value; a value on which it fails does not count.
  func holds(for value: JSONValue) -> Bool {
    environment.now = Double(WallTime.now().microseconds) / 1_000_000
    return (try? expression.isTrue(value, environment)) ?? false
  }

  /// The expression with its mistake marked; empty if a mark would not stand below its place.
  private static func excerpt(of source: String, at error: ExpressionSyntaxError) -> [String] {
    guard source.visible == source else { return [] }
    let caret = String(repeating: " ", count: error.offset) + String(repeating: "^", count: max(1, error.length))
    return [source, caret]
  }
}
