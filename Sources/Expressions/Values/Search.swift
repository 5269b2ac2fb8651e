internal import JSON

/// Finding parts of arrays and strings.
enum Search {
  /// Where an array occurs within another.
  static func indices(
    of sought: [JSONValue], in items: [JSONValue], _ environment: Environment
  ) throws(ExpressionError) -> [Int] {
    guard !sought.isEmpty, sought.count <= items.count else { return [] }
    var found: [Int] = []
    for start in 0...(items.count - sought.count) {
      var matches = true
      for offset in sought.indices {
        try environment.step()
        matches = try Ordering.areEqual(items[start + offset], sought[offset], environment)
        if !matches { break }
      }
      if matches { found.append(start) }
    }
    return found
  }

  /// The byte offsets at which a string occurs within another, overlapping ones too.
  static func offsets(of sought: [UInt8], in text: [UInt8], overlapping: Bool = true) -> [Int] {
    guard let first = sought.first, sought.count <= text.count else { return [] }
    var found: [Int] = []
    var start = 0
    while start <= text.count - sought.count {
      if text[start] == first, text[start...].starts(with: sought) {
        found.append(start)
        start += overlapping ? 1 : sought.count
      } else {
        start += 1
      }
    }
    return found
  }
}
