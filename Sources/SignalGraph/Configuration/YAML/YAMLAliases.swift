/// Expands aliases into what their anchors stand for, within bounds, so that a few lines cannot stand for billions.
struct YAMLAliases {
  /// The start of a node, to be ended once its content is known.
  struct Beginning {
    fileprivate let name: String?
    fileprivate let counts: Counts
  }

  fileprivate struct Counts {
    var aliases = 0
    var nodes = 0
  }

  private enum Anchor {
    case open
    case closed(ConfigNode, Counts)
  }

  private static let maximumAliases = 10_000
  private static let maximumNodes = 1_000_000

  private var anchors: [String: Anchor] = [:]
  private var counts = Counts()

  mutating func begin(_ name: String?) -> Beginning {
    if let name { anchors[name] = .open }
    counts.nodes += 1
    return Beginning(name: name, counts: counts)
  }

  mutating func end(_ beginning: Beginning, as node: ConfigNode) {
    guard let name = beginning.name else { return }
    let inside = Counts(
      aliases: counts.aliases - beginning.counts.aliases, nodes: counts.nodes - beginning.counts.nodes + 1)
    anchors[name] = .closed(node, inside)
  }

  /// The node of an anchor; aliases inside it count each time.
  mutating func expand(_ name: String, at place: Place) throws(SyntaxError) -> ConfigNode {
    switch anchors[name] {
    case .closed(let node, let inside):
      counts.aliases += 1 + inside.aliases
      counts.nodes += inside.nodes
      guard counts.aliases <= Self.maximumAliases else {
        throw SyntaxError("more than \(Self.maximumAliases) aliases once they are expanded", at: place)
      }
      guard counts.nodes <= Self.maximumNodes else {
        throw SyntaxError("more than \(Self.maximumNodes) nodes once aliases are expanded", at: place)
      }
      return node
    case .open: throw SyntaxError("the alias \"*\(name)\" stands inside what it stands for", at: place)
    case nil:
      throw SyntaxError(
        "no anchor \"&\(name)\" stands before this alias; text that begins with \"*\" needs quotes", at: place)
    }
  }
}
