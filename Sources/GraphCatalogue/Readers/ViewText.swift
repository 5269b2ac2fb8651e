import GraphModel

/// A text of a view, which all parts that give it have in common.
struct ViewText {
  private let key: String
  private(set) var text: String?
  private var first: ConfigNode.Entry?

  init(_ key: String) { self.key = key }

  /// Takes the text of a part; reports one that differs from that of an earlier part.
  mutating func take(_ text: String?, _ mapping: MappingReader) {
    guard let text, let entry = mapping.entry(key) else { return }
    guard let earlier = self.text, let first else {
      (self.text, self.first) = (text, entry)
      return
    }
    if text == earlier { return }
    mapping.problems.error(
      "the view has another \(key) already", at: entry.value, related: .init("given here", at: first.value.place))
  }
}
