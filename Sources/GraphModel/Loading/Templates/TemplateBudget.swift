/// The limits of template expansion: a few lines of templates can expand to billions of nodes.
final class TemplateBudget {
  static let maximumUses = 10_000
  static let maximumNodes = 1_000_000
  static let maximumBytes = 16 << 20

  private var (uses, nodes, bytes) = (0, 0, 0)
  /// The message about the exceeded limit.
  private(set) var exceeded: String?

  /// Charges an expansion; returns false past a limit.
  func take(uses: Int = 0, nodes: Int = 0, bytes: Int = 0, depth: Int = 0) -> Bool {
    self.uses += uses
    self.nodes += nodes
    self.bytes += bytes
    if exceeded == nil {
      exceeded =
        if self.uses > Self.maximumUses {
          "more than \(Self.maximumUses) uses of templates"
        } else if self.nodes > Self.maximumNodes {
          "more than \(Self.maximumNodes) nodes after expansion of templates"
        } else if self.bytes > Self.maximumBytes {
          "more than 16 MiB of text after expansion of templates"
        } else if depth > ConfigNode.maximumDepth {
          "nested deeper than \(ConfigNode.maximumDepth) levels after expansion of templates"
        } else {
          nil
        }
    }
    return exceeded == nil
  }
}
