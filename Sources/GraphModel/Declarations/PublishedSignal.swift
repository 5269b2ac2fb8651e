/// The signal beside one that publishes: it emits the messages.
package enum PublishedSignal {
  /// Returns its name for the name of the signal that publishes.
  package static func name(of signal: String) -> String { "\(signal).published" }

  /// Returns true if a signal declares one.
  package static func isDeclared(by signal: ConfigNode) -> Bool { signal["publish"] != nil || signal["entity"] != nil }
}
