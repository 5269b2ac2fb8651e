internal import Linux

/// A line that the user types below the page.
struct InputPrompt {
  enum Purpose {
    /// A signal and a value to send.
    case send
    /// A signal to explain.
    case why

    var title: String {
      switch self {
      case .send: "send SIGNAL VALUE: "
      case .why: "why SIGNAL: "
      }
    }
  }

  private static let longest = 10_000

  let purpose: Purpose
  private(set) var text = ""

  init(_ purpose: Purpose) { self.purpose = purpose }

  /// The line with a cursor; the end of a long text is visible.
  func line(width: Int) -> String {
    let room = max(1, width - purpose.title.count - 1)
    let shown = text.visible
    let end = shown.count > room ? "…" + shown.suffix(room - 1) : shown
    return String((purpose.title + end + "▏").prefix(max(1, width)))
  }

  /// Handles a key.
  ///
  /// - Parameter names: The names that the tabulator completes.
  /// - Returns: `false` once the prompt is cancelled; Enter is for its owner.
  mutating func press(_ key: Key, names: [String]) -> Bool {
    switch key {
    case .escape: return false
    case .backspace:
      if text.isEmpty { return false }
      text.removeLast()
    case .tab: complete(names)
    case .character(let character) where text.utf8.count < Self.longest: text.append(character)
    default: break
    }
    return true
  }

  /// Adds what all names with this beginning have in common.
  private mutating func complete(_ names: [String]) {
    if text.contains(" ") { return }
    let matching = names.filter { $0.hasPrefix(text) }
    guard var common = matching.first else { return }
    for name in matching { common = name.commonPrefix(with: common) }
    text = matching.count == 1 ? common + " " : common
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
