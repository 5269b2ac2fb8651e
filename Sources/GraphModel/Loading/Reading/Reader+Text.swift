extension Reader {
  /// Reads a string; rejects a plain number or boolean with the advice to quote it.
  package func string() -> String? {
    guard let scalar = resolved(expected: "a string") else { return isOpen ? node.scalar?.text : nil }
    if scalar.isString { return scalar.text }
    refuse(expected: scalar.isNull ? "a string" : "a string (in quotes)")
    return nil
  }

  /// Reads the text of a scalar of any type, such as an argument of a program; rejects null.
  ///
  /// An open reference is returned as written, since any text is valid.
  package func text() -> String? {
    guard let scalar = resolved(expected: "a text") else { return isOpen ? node.scalar?.text : nil }
    if !scalar.isNull { return scalar.text }
    refuse(expected: "a text")
    return nil
  }

  /// Reads the absolute path of a file.
  package func path() -> String? {
    guard let path = text() else { return nil }
    if path.hasPrefix("/"), !path.utf8.contains(0) { return path }
    refuse(expected: "an absolute path")
    return nil
  }
}
