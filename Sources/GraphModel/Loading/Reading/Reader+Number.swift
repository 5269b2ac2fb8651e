import JSON

extension Reader {
  package func bool() -> Bool? {
    guard let scalar = resolved(expected: "true or false") else { return nil }
    if case .bool(let bool) = scalar.value { return bool }
    refuse(expected: "true or false")
    return nil
  }

  /// Reads a finite number.
  package func number() -> Double? {
    guard let scalar = resolved(expected: "a number") else { return nil }
    if let number = scalar.number { return number }
    refuse(expected: "a number")
    return nil
  }

  /// Reads a whole number within a range.
  package func int(in range: ClosedRange<Int> = .min ... .max) -> Int? {
    let bounds = ("\(range.lowerBound)", "\(range.upperBound)")
    guard let scalar = resolved(expected: "an integer", bounds: bounds) else { return nil }
    if let integer = scalar.integer { return within(range, integer) { "\($0)" } }
    if let number = scalar.number, number == number.rounded() {
      refuse(beyond: number < 0 ? bounds.0 : bounds.1, isTooSmall: number < 0)
    } else {
      refuse(expected: "an integer")
    }
    return nil
  }

  /// Reads a count: a whole number from 0, or from `least`, to a billion.
  func count(from least: Int = 0) -> Int? { int(in: least...1_000_000_000) }

  /// Reports a value outside its range; `written` formats the bound in the notation of the file.
  func within<Value: Comparable>(
    _ range: ClosedRange<Value>, _ value: Value, written: (Value) -> String
  ) -> Value? {
    if range.contains(value) { return value }
    let isTooSmall = value < range.lowerBound
    let bound = isTooSmall ? range.lowerBound : range.upperBound
    refuse(beyond: written(bound), isTooSmall: isTooSmall)
    return nil
  }

  /// Reports a value beyond a bound.
  func refuse(beyond bound: String, isTooSmall: Bool) {
    problems.error("must be at \(isTooSmall ? "least" : "most") \(bound)", at: node)
  }
}
