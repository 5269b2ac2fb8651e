import Expressions
import JSON

/// An expression used as a condition: every result but false and null counts as true.
package struct Predicate: ParameterValue {
  package let expression: GraphExpression

  package static var typeName: String { GraphExpression.typeName }
  package static var shape: ParameterShape { GraphExpression.shape }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Predicate? {
    guard let expression = GraphExpression.read(node, reading) else { return nil }
    if expression.expression.form == .assignment {
      reading.reader.problems.warning("'=' assigns; use '==' to compare", at: node)
    }
    return Predicate(expression: expression)
  }

  /// Returns the advice about a condition with a constant result.
  package func advice(always: String, never: String) -> String? {
    switch expression.expression.form {
    case .constant(.null), .constant(.bool(false)): never
    case .constant: always
    case .assignment, .computed: nil
    }
  }
}
