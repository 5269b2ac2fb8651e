/// The text of a scalar and how it was written.
package struct Scalar: Sendable {
  package enum Style: Sendable {
    case plain, singleQuoted, doubleQuoted, literal, folded
  }

  /// The tags of the core schema that a scalar may be given by hand, such as `!!str`.
  package enum Tag: String, Sendable {
    case string = "str"
    case integer = "int"
    case float
    case boolean = "bool"
    case null
  }

  package let text: String
  package let style: Style
  package let tag: Tag?
  /// Whether the text stands in one line of the file as it is, but for quotes, so that columns inside it can be told.
  package let hasExactColumns: Bool

  package init(_ text: String, style: Style, tag: Tag? = nil, hasExactColumns: Bool = false) {
    self.text = text
    self.style = style
    self.tag = tag
    self.hasExactColumns = hasExactColumns
  }

  /// Whether it is nothing at all, as the value in `key:` is.
  package var isAbsent: Bool { style == .plain && tag == nil && text.isEmpty }

  /// The number of columns of the file before the byte at an offset, counted from the scalar's start.
  func columns(before offset: Int) -> Int {
    let end = text.utf8.index(text.startIndex, offsetBy: offset, limitedBy: text.endIndex) ?? text.endIndex
    let before = text.unicodeScalars[..<end]
    // A quote in single quotes is written twice.
    return style == .singleQuoted ? 1 + before.count + before.count { $0 == "'" } : before.count
  }
}
