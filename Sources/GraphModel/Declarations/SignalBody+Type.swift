extension SignalBody {
  /// The operators that pass on values as they come, or drop them.
  private static let passing: Set = [
    "audit", "check", "debounce", "delay", "delay_start", "delay_when", "element_at", "filter", "first", "last", "log",
    "repeat", "retry", "send_to", "single", "skip", "skip_for", "skip_last", "skip_repeats", "skip_until", "skip_while",
    "take", "take_for", "take_last", "take_until", "take_while", "throttle", "unique",
  ]

  /// Returns the declared type of the input or the property that its values come from unchanged; `nil` if they may have
  /// another one.
  package func passedType(among signals: DeclaredSignals) -> DeclaredType? {
    var body = self
    // Signals that are computed from each other are reported elsewhere.
    for _ in 0...signals.count {
      guard body.onError != .emit, body.pipe.allSatisfy({ Self.passing.contains($0.name) }) else { return nil }
      if let type = body.source.declaredType { return type }
      guard body.source.name == "from", let reference = body.source.references.first else { return nil }
      switch reference.target {
      case .inline(let inner): body = inner
      case .named(let name):
        guard let upstream = signals[name]?.body else { return nil }
        body = upstream
      }
    }
    return nil
  }
}
