import Signals

/// The last numbers of removed signals, from which a signal of the same name continues.
struct RetiredNumbers: StateRecord {
  /// The greatest number of names that are remembered.
  static let limit = 10_000

  private var numbers: [String: UInt64] = [:]
  /// The greatest number among the discarded names: one of these may return, so new names count from here.
  private var floor: UInt64 = 0

  mutating func retire(_ name: String, at number: UInt64) {
    if number == 0 { return }
    if numbers.count >= Self.limit {
      floor = numbers.values.reduce(floor, max)
      numbers = [:]
    }
    numbers[name] = max(numbers[name] ?? 0, number)
  }

  /// Returns the number after which a signal of the name would begin to count.
  func number(of name: String) -> UInt64 { numbers[name] ?? floor }

  /// Removes and returns the number after which a signal of the name begins to count.
  mutating func take(_ name: String) -> UInt64 { numbers.removeValue(forKey: name) ?? floor }

  init() {}

  init(_ field: inout StateCoder<Self>) throws(StateError) {
    floor = try field(\.floor)
    numbers = try field(\.numbers)
  }
}
