/// The meaning of keys on the last line of a screen: as many of them as fit, the most important ones.
struct KeyHelp {
  private static let gap = "   "

  /// In the order of their importance, `q quit` first.
  let keys: [String]

  init(_ keys: String...) { self.keys = keys }

  /// Returns the line, behind a text about the place.
  func line(behind place: String = "", width: Int) -> String {
    var line = place
    for key in keys where line.count + (line.isEmpty ? 0 : Self.gap.count) + key.count <= width {
      line += (line.isEmpty ? "" : Self.gap) + key
    }
    return line.isEmpty ? String((keys.first ?? "").prefix(max(0, width))) : String(line.prefix(max(0, width)))
  }
}
