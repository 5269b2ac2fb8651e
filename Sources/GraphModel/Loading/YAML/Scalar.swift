/// The text of a scalar and its style.
package struct Scalar: Sendable {
  package enum Style: Sendable {
    case plain, singleQuoted, doubleQuoted, literal, folded
  }

  /// The explicit tags of the core schema, such as `!!str`.
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
  /// True when the file contains the text verbatim on one line, apart from quotes, so that columns in it are known.
  let hasExactColumns: Bool

  package init(_ text: String, style: Style, tag: Tag? = nil, hasExactColumns: Bool = false) {
    self.text = text
    self.style = style
    self.tag = tag
    self.hasExactColumns = hasExactColumns
  }

  /// True for an empty value, as in `key:`.
  package var isAbsent: Bool { style == .plain && tag == nil && text.isEmpty }

  /// Returns the number of columns from the scalar's start to the byte at an offset.
  func columns(before offset: Int) -> Int {
    let end = text.utf8.index(text.startIndex, offsetBy: offset, limitedBy: text.endIndex) ?? text.endIndex
    let before = text.unicodeScalars[..<end]
    // A quote in single quotes is doubled.
    return style == .singleQuoted ? 1 + before.count + before.count { $0 == "'" } : before.count
  }
}
