/// The forms in which signals are named.
package enum SignalName {
  /// Whether a text can name a signal: `signal`, `graph.signal`, or with `action.values` in place of the signal.
  static func isReference(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count <= 3 && parts.allSatisfy(Name.isValid)
  }

  /// The graph that a signal belongs to, given by its full name.
  package static func graph(of name: some StringProtocol) -> String { String(name.prefix { $0 != "." }) }
}
