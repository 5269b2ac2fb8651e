internal import GraphModel

/// The lines of a tree, wrapped to the width of a terminal so that its branches stay visible.
struct TreeLines {
  /// Branches and their parts: what a line begins with before its text.
  private static let branches: Set<Character> = [" ", "│", "├", "└", "─", "┄", "━", "▶"]

  let lines: [MarkedText]

  /// The room for branches beside names.
  private static let branchWidth = 8
  private static let leastName = 8

  /// - Parameter width: `nil` for no wrapping.
  init(_ tree: [MarkedText], width: Int?) {
    guard let width else {
      lines = tree
      return
    }
    let names = tree.flatMap(\.parts).filter { $0.mark == .title }.map(\.text)
    let short = ShortNames(names, width: max(Self.leastName, width - Self.branchWidth))
    lines = tree.enumerated().flatMap { index, line in
      Self.wrapped(
        line.mapTexts { short[$0] }, above: index + 1 < tree.count ? tree[index + 1].plain : "", to: width)
    }
  }

  /// Wraps a line, below which another one may branch off.
  private static func wrapped(_ line: MarkedText, above next: String, to width: Int) -> [MarkedText] {
    guard line.plain.count > width else { return [line] }
    let head = line.plain.prefix { branches.contains($0) }.count
    // The branches that go on below this line.
    let below = next.prefix(head + 1).map { "│├└".contains($0) ? "│" : " " as Character }
    let indent = String((below + Array(repeating: " ", count: head + 2)).prefix(min(head + 2, width / 2)))
    let room = max(1, width - indent.count)
    let fitting = line.mapTexts { part in
      part.split(separator: " ", omittingEmptySubsequences: false).map { String($0).shortened(to: room) }
        .joined(separator: " ")
    }
    return fitting.wrapped(to: width, indent: indent)
  }
}
