/// A binary operator.
enum Operator: String, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case modulo = "%"
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case and
  case or
  case alternative = "//"
  case assign = "="
  case modify = "|="
  case addUpdate = "+="
  case subtractUpdate = "-="
  case multiplyUpdate = "*="
  case divideUpdate = "/="
  case moduloUpdate = "%="
  case alternativeUpdate = "//="

  enum Associativity { case left, right, none }

  /// Its precedence: the operator with the larger number binds tighter.
  var precedence: Int {
    switch self {
    case .alternative: 1
    case .assign, .modify, .addUpdate, .subtractUpdate, .multiplyUpdate, .divideUpdate, .moduloUpdate,
      .alternativeUpdate:
      2
    case .or: 3
    case .and: 4
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: 5
    case .add, .subtract: Self.additivePrecedence
    case .multiply, .divide, .modulo: Self.additivePrecedence + 1
    }
  }

  static let additivePrecedence = 6

  var associativity: Associativity {
    switch precedence {
    case 1: .right
    case 2, 5: .none
    default: .left
    }
  }
}
