extension Reader {
  /// A string; a plain number or boolean is refused with the advice to quote it.
  package func string() -> String? {
    guard let scalar = resolved(expected: "a string") else { return isOpen ? node.scalar?.text : nil }
    if scalar.isString { return scalar.text }
    refuse(expected: scalar.isNull ? "a string" : "a string (put it into quotes)")
    return nil
  }

  /// The text of a scalar of any type, for arguments of programs and the like; null is refused.
  ///
  /// One that is left open stays as it is written, since any text will do.
  package func text() -> String? {
    guard let scalar = resolved(expected: "a text") else { return isOpen ? node.scalar?.text : nil }
    if !scalar.isNull { return scalar.text }
    refuse(expected: "a text")
    return nil
  }

  /// The absolute path of a file.
  package func path() -> String? {
    guard let path = text() else { return nil }
    if path.hasPrefix("/"), !path.utf8.contains(0) { return path }
    refuse(expected: "an absolute path")
    return nil
  }
}
