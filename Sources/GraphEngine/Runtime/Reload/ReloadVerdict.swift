/// The outcome of a reload, signal by signal, in the order of the file.
package struct ReloadVerdict: Equatable, Sendable {
  package var generation: UInt64
  package var kept: [String] = []
  package var changed: [String] = []
  package var added: [String] = []
  package var removed: [String] = []
  /// The changed settings that a running daemon cannot apply, such as `server.socket.path`.
  package var needsRestart: [String] = []

  package init(generation: UInt64) { self.generation = generation }

  /// Returns the verdict without some of the signals.
  func without(_ names: Set<String>) -> ReloadVerdict {
    var verdict = self
    for list in [\ReloadVerdict.kept, \.changed, \.added, \.removed] {
      verdict[keyPath: list].removeAll { names.contains($0) }
    }
    return verdict
  }
}
