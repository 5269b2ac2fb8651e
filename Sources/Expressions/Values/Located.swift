internal import JSON

/// A value and its path in the input of `path(…)`.
struct Located {
  let value: JSONValue
  private let path: PathStep?
  /// True while the value is the one at the path, not a new one.
  private let isPlace: Bool

  /// Creates the root of the paths.
  init(root value: JSONValue) {
    self.init(value, nil, isPlace: true)
  }

  private init(_ value: JSONValue, _ path: PathStep?, isPlace: Bool) {
    self.value = value
    self.path = path
    self.isPlace = isPlace
  }

  /// Returns the same path with a new value, which counts as a place only if it equals the old value.
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

  /// Returns the value at a key of this one.
  func child(_ key: JSONValue, _ child: JSONValue) throws(ExpressionError) -> Located {
    Located(child, try PathStep(key, after: path), isPlace: isPlace)
  }

  /// Returns a value further down, at a computed path.
  func descendant(_ keys: [JSONValue], _ value: JSONValue) throws(ExpressionError) -> Located {
    var path = path
    for key in keys { path = try PathStep(key, after: path) }
    return Located(value, path, isPlace: isPlace)
  }

  /// The number of keys from the root to here.
  var depth: Int { path?.length ?? 0 }

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

  private func requirePlace() throws(ExpressionError) {
    guard isPlace else { throw .badValue("Invalid path expression with result \(value.excerpt)") }
  }

  /// Throws for access to an element of a new value.
  func requirePlace(forAccessTo key: @autoclosure () -> JSONValue) throws(ExpressionError) {
    guard isPlace else {
      let place = "element \(key().excerpt) of \(value.excerpt)"
      throw .badValue("Invalid path expression near attempt to access \(place)")
    }
  }

  func requirePlaceForIteration() throws(ExpressionError) {
    guard isPlace else {
      throw .badValue("Invalid path expression near attempt to iterate through \(value.excerpt)")
    }
  }
}

/// A receiver of outputs with their paths.
typealias LocatedSink = (Located) throws(ExpressionError) -> Flow

/// One key of a path; paths share common prefixes.
private final class PathStep {
  /// The maximum length, since a chain of steps is freed recursively.
  private static let maximumLength = 2048

  let key: JSONValue
  let previous: PathStep?
  let length: Int

  init(_ key: JSONValue, after previous: PathStep?) throws(ExpressionError) {
    self.key = key
    self.previous = previous
    length = (previous?.length ?? 0) + 1
    if length > Self.maximumLength { throw Environment.tooDeep }
  }
}
