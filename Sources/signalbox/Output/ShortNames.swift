/// Names that are shortened to the width of a column, so that they still differ.
struct ShortNames {
  /// The fewest characters to show beside the part in which names differ.
  private static let leastEnd = 3

  private var texts: [String: String] = [:]

  init(_ names: [String], width: Int) {
    let long = Set(names).filter { $0.count > width }
    for group in Dictionary(grouping: long, by: { $0.shortened(to: width) }).values {
      let difference = group.count > 1 ? Self.difference(of: group) : nil
      for name in group {
        texts[name] = difference.flatMap { Self.text(of: name, $0, width) } ?? name.shortened(to: width)
      }
    }
  }

  /// The name as it is shown.
  subscript(name: String) -> String { texts[name] ?? name }

  /// Returns how many characters names have in common at their beginning and at their end.
  private static func difference(of names: [String]) -> (start: Int, end: Int) {
    let first = names[0]
    let start = names.map { zip($0, first).prefix { $0 == $1 }.count }.min() ?? 0
    let end = names.map { zip($0.reversed(), first.reversed()).prefix { $0 == $1 }.count }.min() ?? 0
    let shortest = names.map(\.count).min() ?? 0
    return (start, min(end, shortest - start))
  }

  /// Returns a name with the part in which it differs from others, `nil` if there is no room for that.
  private static func text(of name: String, _ common: (start: Int, end: Int), _ width: Int) -> String? {
    let room = width - 2 - 2 * leastEnd
    guard room > 0 else { return nil }
    let middle = String(name.dropFirst(common.start).dropLast(common.end)).shortened(to: room)
    let rest = width - 2 - middle.count
    let end = min(common.end, rest / 2)
    let start = min(common.start, rest - end)
    return name.prefix(start) + "…" + middle + "…" + name.suffix(end)
  }
}

extension String {
  /// Returns the text with `…` in place of its middle if it is longer than a width.
  func shortened(to width: Int) -> String {
    guard count > width else { return self }
    let room = max(0, width - 1)
    return prefix(room - room / 2) + "…" + suffix(room / 2)
  }
}
