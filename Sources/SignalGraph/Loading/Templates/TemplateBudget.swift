/// The bounds of all that templates stand for: a few lines of them can stand for billions.
final class TemplateBudget {
  static let maximumUses = 10_000
  static let maximumNodes = 1_000_000
  static let maximumBytes = 16 << 20

  private var (uses, nodes, bytes) = (0, 0, 0)
  /// The bound that was passed, for people.
  private(set) var exceeded: String?

  /// Whether so much more is within the bounds.
  func take(uses: Int = 0, nodes: Int = 0, bytes: Int = 0, depth: Int = 0) -> Bool {
    self.uses += uses
    self.nodes += nodes
    self.bytes += bytes
    if exceeded == nil {
      exceeded =
        if self.uses > Self.maximumUses {
          "more than \(Self.maximumUses) uses of templates"
        } else if self.nodes > Self.maximumNodes {
          "more than \(Self.maximumNodes) nodes once templates are expanded"
        } else if self.bytes > Self.maximumBytes {
          "more than 16 MiB of text once templates are expanded"
        } else if depth > ConfigNode.maximumDepth {
          "nested deeper than \(ConfigNode.maximumDepth) levels once templates are expanded"
        } else {
          nil
        }
    }
    return exceeded == nil
  }
}
