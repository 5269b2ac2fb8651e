internal import GraphModel
internal import Linux

extension MarkedText {
  /// Returns the text as lines of a width, broken at spaces; the following lines are indented by two more columns.
  ///
  /// - Parameter width: `nil` for no wrapping.
  func wrapped(to width: Int?) -> [MarkedText] {
    guard let width else { return [self] }
    let indent = min(plain.prefix { $0 == " " }.count + 2, width / 2)
    return wrapped(to: width, indent: String(repeating: " ", count: indent))
  }

  /// Returns the text as lines of a width, broken at spaces; the following lines begin with an indent.
  func wrapped(to width: Int, indent: String) -> [MarkedText] {
    let text = mapTexts { $0.visibleLine.replacing("\t", with: " ") }
    let lines = WrappedText.lines(text.plain, width: width, column: indent.count)
    if lines.count < 2 { return [text] }
    var rest = text
    return lines.enumerated().map { number, line in
      if number == 0 { return rest.removeFirst(line.count) }
      rest.removeBlanks()
      return MarkedText(indent) + rest.removeFirst(line.count - indent.count)
    }
  }

  /// Removes and returns the first characters.
  private mutating func removeFirst(_ count: Int) -> MarkedText {
    var room = count
    let head = mapTexts { part in
      defer { room -= min(room, part.count) }
      return String(part.prefix(room))
    }
    var gone = count
    self = mapTexts { part in
      defer { gone -= min(gone, part.count) }
      return String(part.dropFirst(gone))
    }
    return head
  }

  private mutating func removeBlanks() {
    var isBlank = true
    self = mapTexts { part in
      guard isBlank else { return part }
      let rest = part.drop { $0 == " " }
      isBlank = rest.isEmpty
      return String(rest)
    }
  }
}
