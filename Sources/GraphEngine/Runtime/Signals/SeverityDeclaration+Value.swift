import Expressions
import GraphModel
package import JSON

extension SeverityDeclaration {
  /// Returns true if a value of a signal demands attention.
  ///
  /// Its condition, or without one the value itself, is neither false nor null then. A value that the condition refuses
  /// demands none.
  package func isActive(_ value: JSONValue, of signal: String, _ runtime: GraphRuntime) -> Bool {
    guard let when else { return value.plain != .null && value.plain != .bool(false) }
    let environment = runtime.engine.outsideEnvironment(variables: [.string(signal)])
    do { return try when.expression.isTrue(value, environment) } catch { return false }
  }
}
