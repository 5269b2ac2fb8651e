/// Expands aliases into the nodes of their anchors, within limits: a few lines of aliases can expand to billions of
/// nodes, or to a tree too deep to walk.
struct YAMLAliases {
  /// An open node, closed once its content is known.
  struct Beginning {
    fileprivate let name: String?
    fileprivate let counts: Counts
    fileprivate let deepest: Int
  }

  fileprivate struct Counts {
    var aliases = 0
    var nodes = 0
  }

  /// The node of an anchor, and the cost of using it.
  private struct Anchored {
    let node: ConfigNode
    let inside: Counts
    let height: Int
  }

  private enum Anchor {
    case open
    case closed(Anchored)
  }

  private static let maximumAliases = 10_000
  private static let maximumNodes = 1_000_000

  private var anchors: [String: Anchor] = [:]
  private var counts = Counts()
  /// The number of open nodes, and its maximum since the innermost of them was opened.
  private var (depth, deepest) = (0, 0)

  mutating func begin(_ name: String?, at place: Place) throws(SyntaxError) -> Beginning {
    if let name { anchors[name] = .open }
    let beginning = Beginning(name: name, counts: counts, deepest: deepest)
    counts.nodes += 1
    depth += 1
    deepest = depth
    try checkDepth(at: place)
    return beginning
  }

  mutating func end(_ beginning: Beginning, as node: ConfigNode) {
    if let name = beginning.name {
      let inside = Counts(
        aliases: counts.aliases - beginning.counts.aliases, nodes: counts.nodes - beginning.counts.nodes)
      anchors[name] = .closed(Anchored(node: node, inside: inside, height: deepest - depth + 1))
    }
    depth -= 1
    deepest = max(deepest, beginning.deepest)
  }

  /// Returns the node of an anchor; aliases inside it are counted on each use.
  mutating func expand(_ name: String, at place: Place) throws(SyntaxError) -> ConfigNode {
    switch anchors[name] {
    case .closed(let anchored):
      try count(anchored, at: place)
      return anchored.node
    case .open: throw SyntaxError("the alias \"*\(name)\" is inside its own anchor", at: place)
    case nil:
      throw SyntaxError(
        "no anchor \"&\(name)\" before this alias; text that begins with \"*\" needs quotes", at: place)
    }
  }

  private mutating func count(_ anchored: Anchored, at place: Place) throws(SyntaxError) {
    counts.aliases += 1 + anchored.inside.aliases
    counts.nodes += anchored.inside.nodes
    guard counts.aliases <= Self.maximumAliases else {
      throw SyntaxError("more than \(Self.maximumAliases) aliases after expansion", at: place)
    }
    guard counts.nodes <= Self.maximumNodes else {
      throw SyntaxError("more than \(Self.maximumNodes) nodes after expansion of aliases", at: place)
    }
    deepest = max(deepest, depth + anchored.height)
    try checkDepth(at: place)
  }

  private func checkDepth(at place: Place) throws(SyntaxError) {
    guard deepest > ConfigNode.maximumDepth else { return }
    throw SyntaxError("nested deeper than \(ConfigNode.maximumDepth) levels", at: place)
  }
}
