package import JSON

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
