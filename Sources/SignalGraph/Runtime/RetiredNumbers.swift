import ReactiveCore

/// The last numbers of signals that are gone, which count on if a signal of the name comes back.
struct RetiredNumbers: Storable {
  /// How many names are remembered.
  static let limit = 10_000

  private var numbers: [String: UInt64] = [:]
  /// The greatest number of those whose names were forgotten: since one may come back, new names count from here.
  private var floor: UInt64 = 0

  mutating func retire(_ name: String, at number: UInt64) {
    if number == 0 { return }
    if numbers.count >= Self.limit {
      floor = numbers.values.reduce(floor, max)
      numbers = [:]
    }
    numbers[name] = number
  }

  /// The number after which a signal of the name begins to count.
  mutating func take(_ name: String) -> UInt64 { numbers.removeValue(forKey: name) ?? floor }

  init() {}

  func store(in writer: inout StateWriter) {
    floor.store(in: &writer)
    writer.count(numbers.count)
    for (name, number) in numbers.sorted(by: { $0.key < $1.key }) {
      writer.text(name)
      number.store(in: &writer)
    }
  }

  init(from reader: inout StateReader) throws(StateError) {
    floor = try UInt64(from: &reader)
    for _ in 0..<(try reader.count()) { numbers[try reader.text()] = try UInt64(from: &reader) }
  }
}
