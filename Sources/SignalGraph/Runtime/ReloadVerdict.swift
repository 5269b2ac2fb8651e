/// The outcome of a reload, signal by signal, in the order of the file.
package struct ReloadVerdict: Equatable, Sendable {
  package var generation: UInt64
  package var kept: [String] = []
  package var changed: [String] = []
  package var added: [String] = []
  package var removed: [String] = []
  /// Settings that the new file changes and a running daemon cannot, such as `server.socket.path`.
  package var needsRestart: [String] = []

  package init(generation: UInt64) { self.generation = generation }

  /// The same without some of the signals.
  func without(_ names: Set<String>) -> ReloadVerdict {
    var verdict = self
    for list in [\ReloadVerdict.kept, \.changed, \.added, \.removed] {
      verdict[keyPath: list].removeAll { names.contains($0) }
    }
    return verdict
  }
}
