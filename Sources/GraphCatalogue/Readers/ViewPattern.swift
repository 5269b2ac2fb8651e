import GraphModel

/// A pattern of full names in a view, in which `*` stands for a segment of a name or a part of one.
struct ViewPattern {
  /// The texts around the wildcards of each segment.
  private let segments: [[Substring]]

  /// Returns `nil` for a text that cannot match any name.
  init?(_ text: String) {
    let segments = text.split(separator: ".", omittingEmptySubsequences: false)
    guard segments.allSatisfy({ !$0.isEmpty && Name.isValid($0.filter { $0 != "*" } + "a") }) else { return nil }
    self.segments = segments.map { $0.split(separator: "*", omittingEmptySubsequences: false) }
  }

  /// Returns what the wildcards stand for in a name; `nil` if it does not match.
  func captures(in name: String) -> [String]? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == segments.count else { return nil }
    var captures: [String] = []
    for (part, texts) in zip(parts, segments) {
      guard let found = Self.captures(in: part, between: texts) else { return nil }
      captures += found
    }
    return captures
  }

  private static func captures(in part: Substring, between texts: [Substring]) -> [String]? {
    guard let first = texts.first, let last = texts.last, part.hasPrefix(first) else { return nil }
    if texts.count == 1 { return part == first ? [] : nil }
    var rest = part.dropFirst(first.count)
    guard rest.hasSuffix(last) else { return nil }
    rest = rest.dropLast(last.count)
    var captures: [String] = []
    for text in texts.dropFirst().dropLast() where !text.isEmpty {
      guard let place = rest.firstRange(of: text) else { return nil }
      captures.append(String(rest[..<place.lowerBound]))
      rest = rest[place.upperBound...]
    }
    return captures + [String(rest)]
  }
}
