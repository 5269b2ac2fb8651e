internal import JSON

/// The search for parts of arrays and strings.
enum Search {
  /// Returns the positions of an array within another.
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

  /// Returns the byte offsets of a string within another, optionally overlapping.
  static func offsets(of sought: [UInt8], in text: [UInt8], overlapping: Bool = true) -> [Int] {
    var found: [Int] = []
    occurrences(of: sought, in: text, overlapping: overlapping) { offset in
      found.append(offset)
      return .next
    }
    return found
  }

  /// Returns true if a string occurs within another.
  static func occurs(_ sought: [UInt8], in text: [UInt8]) -> Bool {
    var isFound = sought.isEmpty
    occurrences(of: sought, in: text, overlapping: true) { _ in
      isFound = true
      return .stop
    }
    return isFound
  }

  /// Finds each occurrence by the algorithm of Knuth, Morris and Pratt, which reads each byte of the text once.
  private static func occurrences(
    of sought: [UInt8], in text: [UInt8], overlapping: Bool, _ body: (Int) -> Flow
  ) {
    guard !sought.isEmpty, sought.count <= text.count else { return }
    let borders = borders(of: sought)
    var matched = 0
    for (index, byte) in text.enumerated() {
      while matched > 0, sought[matched] != byte { matched = borders[matched - 1] }
      if sought[matched] == byte { matched += 1 }
      guard matched == sought.count else { continue }
      if body(index + 1 - matched) == .stop { return }
      matched = overlapping ? borders[matched - 1] : 0
    }
  }

  /// Returns, for each prefix of a string, the length of the longest shorter prefix that it ends with.
  private static func borders(of sought: [UInt8]) -> [Int] {
    var borders = [Int](repeating: 0, count: sought.count)
    var matched = 0
    for index in sought.indices.dropFirst() {
      while matched > 0, sought[matched] != sought[index] { matched = borders[matched - 1] }
      if sought[matched] == sought[index] { matched += 1 }
      borders[index] = matched
    }
    return borders
  }
}
