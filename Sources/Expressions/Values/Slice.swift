internal import JSON

/// The bounds of `[from:end]`; a missing one is `null`.
struct Slice {
  let start: JSONValue
  let end: JSONValue

  init(start: JSONValue, end: JSONValue) {
    self.start = start.plain
    self.end = end.plain
  }

  /// Reads the bounds in a path: `{"start": …, "end": …}`.
  init(_ bounds: JSONObject) {
    self.init(start: bounds["start"] ?? .null, end: bounds["end"] ?? .null)
  }

  var pathKey: JSONValue {
    var bounds = JSONObject()
    bounds["start"] = start
    bounds["end"] = end
    return .object(bounds)
  }

  /// Returns the positions in an array of `count` elements, or `nil` if a bound is not a number.
  func range(of count: Int) -> Range<Int>? {
    guard let from = bound(start, otherwise: 0, count), let upTo = bound(end, otherwise: count, count) else {
      return nil
    }
    let lower = Int(from)
    return lower..<max(lower, Int(upTo.rounded(.up)))
  }

  /// Clamps a bound to 0 and the count; negative ones count from the end.
  private func bound(_ value: JSONValue, otherwise: Int, _ count: Int) -> Double? {
    switch value {
    case .null: return Double(otherwise)
    case .number(let number) where number.isNaN: return Double(otherwise)
    case .number(let number): return min(max(number < 0 ? number + Double(count) : number, 0), Double(count))
    default: return nil
    }
  }

  func apply(to target: JSONValue, _ environment: Environment) throws(ExpressionError) -> JSONValue {
    switch target.plain {
    case .null: return .null
    case .array(let items):
      guard let range = range(of: items.count) else { throw Self.badBounds }
      try environment.charge(values: range.count)
      return .array(Array(items[range]))
    case .string(let text):
      let scalars = text.unicodeScalars
      try environment.charge(characters: text.utf8.count)
      guard let range = range(of: scalars.count) else { throw Self.badBounds }
      let from = scalars.index(scalars.startIndex, offsetBy: range.lowerBound)
      return .string(String(scalars[from..<scalars.index(from, offsetBy: range.count)]))
    default: throw Indexing.cannotIndex(target, pathKey)
    }
  }

  static let badBounds = ExpressionError.badValue("Array/string slice indices must be integers")
}
