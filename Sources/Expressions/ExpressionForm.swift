package import JSON

/// The form of an expression as a whole, which tells where it cannot be meant.
package enum ExpressionForm: Equatable, Sendable {
  /// The same for every input.
  case constant(JSONValue)
  /// `.a = 1` and its kind: the input with something else in it, which is neither false nor null.
  case assignment
  case computed
}

extension Syntax {
  var form: ExpressionForm {
    switch kind {
    case .constant(let value): .constant(value)
    case .number(let number, _): .constant(.number(number))
    case .binary(let sign, _, _): sign.isAssignment ? .assignment : .computed
    case .pipe(_, let last): last.form == .assignment ? .assignment : .computed
    default: .computed
    }
  }
}

extension Operator {
  fileprivate var isAssignment: Bool { precedence == Operator.assign.precedence }
}
