import GraphEngine
import GraphModel
import JSON
import Linux
import WireProtocol

// The reply for a reload's outcome.

extension ReloadReply {
  init(_ verdict: ReloadVerdict) {
    self.init(generation: Int(verdict.generation))
    kept = verdict.kept
    changed = verdict.changed
    added = verdict.added
    removed = verdict.removed
    needsRestart = verdict.needsRestart
  }
}

extension ReloadReply {
  /// The effect that a reload would have.
  init(_ forecast: ReloadForecast) {
    self.init(forecast.verdict)
    losses = forecast.losses.map { loss in
      Loss(signal: loss.signal, because: loss.reason.words, memories: loss.memories, values: loss.values)
    }
  }
}

extension ReloadVerdict {
  /// A summary for the log, on one line.
  var summary: String {
    var parts = ["generation \(generation)"]
    for (word, names) in [("kept", kept), ("changed", changed), ("added", added), ("removed", removed)] {
      parts.append("\(names.count) \(word)")
    }
    if !needsRestart.isEmpty { parts.append("\(needsRestart.joined(separator: ", ")) needs a restart") }
    return parts.joined(separator: ", ")
  }
}

extension WireError {
  init(_ error: ConfigurationError) {
    switch error {
    case .unreadable(let error):
      self.init(.badConfig, "\(error)", details: ["errors": []])
    case .invalid(let diagnostics):
      let count = diagnostics.errors.count
      self.init(
        .badConfig, "the configuration has \(count) error\(count == 1 ? "" : "s"); the old one stays active",
        details: ["errors": DiagnosticRenderer.json(diagnostics)])
    }
  }

  /// Creates the refusal of a configuration without an error, for which there is no usable state folder.
  init(unusable failure: StartFailure) {
    self.init(.badConfig, "\(failure.message); the old configuration stays active", details: ["errors": []])
  }

  /// The errors of a refused configuration; the refusal itself if none has a position.
  var configurationErrors: JSONValue {
    if case .array(let errors)? = details["errors"], !errors.isEmpty { return .array(errors) }
    return [["severity": "error", "message": .string(message)]]
  }
}
