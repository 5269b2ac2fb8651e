package import JSON

/// The form of a whole expression, for warnings about uses where it makes no sense.
package enum ExpressionForm: Equatable, Sendable {
  /// A value independent of the input.
  case constant(JSONValue)
  /// `.a = 1` and its kind: the changed input, which is neither false nor null.
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
