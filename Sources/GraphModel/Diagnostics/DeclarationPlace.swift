package import JSON

/// The place of a declaration, kept while a configuration runs: a `Place` without the lines of its file.
package struct DeclarationPlace: Sendable {
  private let file: Shared<SourceText>
  private let line: UInt32
  private let column: UInt32

  /// The node's own place or, for the result of a template, the place where the configuration uses that template.
  package init(_ placed: some Placed) {
    let place = placed.place.origin?.chain.last?.place.place ?? placed.place
    file = place.source.shared
    line = UInt32(clamping: place.line)
    column = UInt32(clamping: place.column)
  }
}

extension DeclarationPlace: CustomStringConvertible {
  /// `file:line:column`, as in diagnostics.
  package var description: String { "\(file.value.name):\(line):\(column)" }
}

extension DeclarationPlace {
  /// Returns a declaration as it was written, with its comments; `nil` if what is written there is something else, such as the
  /// use of a template or of an anchor.
  ///
  /// - Parameter declaration: The declaration as it was read.
  package func text(of declaration: JSONValue) -> String? {
    guard let text = file.value.entry(line: Int(line), column: Int(column)) else { return nil }
    let root = ConfigurationText.read(Array(text.utf8), name: "", index: 0, problems: Problems()).root
    guard let entries = root?.entries, entries.count == 1, entries[0].value.declaration == declaration else {
      return nil
    }
    return text
  }
}
