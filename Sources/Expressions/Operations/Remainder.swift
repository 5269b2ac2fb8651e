internal import JSON

/// `%`: the remainder of whole numbers, with the sign of the left one.
enum Remainder: BinaryOperation {
  static func apply(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    guard let a = left.asNumber, let b = right.asNumber else {
      throw .badValue("\(left.described) and \(right.described) cannot be divided (remainder)")
    }
    if a.isNaN || b.isNaN { return .number(.nan) }
    let divisor = whole(b)
    if divisor == 0 {
      throw .badValue(
        "\(left.described) and \(right.described) cannot be divided (remainder) because the divisor is zero")
    }
    // The smallest integer divided by -1 would overflow.
    return .number(divisor == -1 ? 0 : Double(whole(a) % divisor))
  }

  private static func whole(_ number: Double) -> Int {
    if number >= 0x1p63 { return .max }
    return number < -0x1p63 ? .min : Int(number)
  }
}
