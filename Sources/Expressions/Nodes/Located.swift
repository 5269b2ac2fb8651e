internal import JSON

/// A value and where it stands in the input of `path(…)`.
struct Located {
  let value: JSONValue
  private let path: PathStep?
  /// Whether the value is still the one at the path, and not made anew.
  private let isPlace: Bool

  /// A value where the paths begin.
  init(root value: JSONValue) {
    self.init(value, nil, isPlace: true)
  }

  private init(_ value: JSONValue, _ path: PathStep?, isPlace: Bool) {
    self.value = value
    self.path = path
    self.isPlace = isPlace
  }

  /// The same place with a made value, which only counts as a place if nobody can tell it from what was there.
  func replaced(by output: JSONValue) -> Located {
    let isSame: Bool
    switch (value, output) {
    case (.null, .null): isSame = true
    case (.bool(let one), .bool(let other)): isSame = one == other
    case (.number(let one), .number(let other)): isSame = one == other
    default: isSame = false
    }
    return Located(output, path, isPlace: isPlace && isSame)
  }

  /// The value at a key of this one.
  func child(_ key: JSONValue, _ child: JSONValue) -> Located {
    Located(child, PathStep(key, after: path), isPlace: isPlace)
  }

  /// The same place, reached by a path that was worked out.
  func descendant(_ keys: [JSONValue], _ value: JSONValue) -> Located {
    Located(value, keys.reduce(path) { PathStep($1, after: $0) }, isPlace: isPlace)
  }

  /// The keys from the root to here.
  func keys() throws(ExpressionError) -> [JSONValue] {
    try requirePlace()
    var keys: [JSONValue] = []
    var step = path
    while let next = step {
      keys.append(next.key)
      step = next.previous
    }
    return keys.reversed()
  }

  func requirePlace() throws(ExpressionError) {
    guard isPlace else { throw .badValue("Invalid path expression with result \(value.excerpt)") }
  }
}

/// One key of a path; paths with the same beginning share it.
private final class PathStep {
  let key: JSONValue
  let previous: PathStep?

  init(_ key: JSONValue, after previous: PathStep?) {
    self.key = key
    self.previous = previous
  }
}
