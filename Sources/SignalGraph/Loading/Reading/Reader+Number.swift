import JSON

extension Reader {
  package func bool() -> Bool? {
    guard let scalar = resolved(expected: "true or false") else { return nil }
    if case .bool(let bool) = scalar.value { return bool }
    refuse(expected: "true or false")
    return nil
  }

  /// A finite number.
  package func number() -> Double? {
    guard let scalar = resolved(expected: "a number") else { return nil }
    if let number = scalar.number { return number }
    refuse(expected: "a number")
    return nil
  }

  /// A whole number within a range.
  package func int(in range: ClosedRange<Int> = .min ... .max) -> Int? {
    guard let scalar = resolved(expected: "a whole number") else { return nil }
    guard let number = scalar.number.flatMap(Int.init(exactly:)) else {
      refuse(expected: "a whole number")
      return nil
    }
    return within(range, number) { "\($0)" }
  }

  /// A count: a whole number from 0, or from a given one, to a billion.
  package func count(from least: Int = 0) -> Int? { int(in: least...1_000_000_000) }

  /// Reports a value outside of its range in the words in which it is written.
  func within<Value: Comparable>(
    _ range: ClosedRange<Value>, _ value: Value, written: (Value) -> String
  ) -> Value? {
    if range.contains(value) { return value }
    let isTooSmall = value < range.lowerBound
    let bound = isTooSmall ? range.lowerBound : range.upperBound
    problems.error("must be at \(isTooSmall ? "least" : "most") \(written(bound))", at: node)
    return nil
  }
}
