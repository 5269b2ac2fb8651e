/// The forms of signal names.
package enum SignalName {
  /// Returns true if a text can name a signal: `signal`, `graph.signal`, or with `action.values` in place of the
  /// signal.
  static func isReference(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count <= 3 && parts.allSatisfy(Name.isValid)
  }

  /// Returns the graph in a signal's full name.
  package static func graph(of name: some StringProtocol) -> String { String(name.prefix { $0 != "." }) }
}
