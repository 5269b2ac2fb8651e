import Expressions
import JSON

/// An expression that asks something of a value: neither false nor null is a yes.
struct Predicate: ParameterValue {
  let expression: GraphExpression

  static var typeName: String { GraphExpression.typeName }
  static var shape: ParameterShape { GraphExpression.shape }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Predicate? {
    guard let expression = GraphExpression.read(node, reading) else { return nil }
    if expression.expression.form == .assignment {
      reading.reader.problems.warning("this assigns, and compares nothing; write '==' to compare", at: node)
    }
    return Predicate(expression: expression)
  }

  /// The advice about one that always has the same answer.
  func advice(always: String, never: String) -> String? {
    switch expression.expression.form {
    case .constant(.null), .constant(.bool(false)): never
    case .constant: always
    case .assignment, .computed: nil
    }
  }
}

extension OperatorContext {
  func evaluator(of predicate: Predicate) -> Evaluator { evaluator(of: predicate.expression) }
}
