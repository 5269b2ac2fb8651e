internal import GraphEngine
internal import GraphModel
internal import JSON
internal import Persistence
internal import StateLog

/// The effect of another configuration on the state of durable graphs, for `check --against`.
enum StateOutcome {
  static func report(
    _ configuration: Configuration, against folder: String, _ format: String, to output: Output
  ) throws(CommandError) {
    let fate = try StateLocation(path: folder).access { path throws(StorageError) in
      try StateForecast(of: FolderReader(path), under: configuration)
    }
    if format == "json" { return output.line(json(fate).json) }
    guard let fate else { return output.line("no state in \(folder) yet") }
    for name in fate.kept { output.line("keeps \(name)") }
    for loss in fate.forecast.replaced { output.line(line(of: loss)) }
  }

  private static func line(of loss: ReloadForecast.Loss) -> String {
    if loss.memories.isEmpty && loss.values == 0 {
      return "\(loss.signal) would restart without loss of state (\(loss.reason.words))"
    }
    return LossText.line(loss.signal, memories: loss.memories, values: loss.values, because: loss.reason.words)
  }

  private static func json(_ fate: StateForecast?) -> JSONValue {
    let replaced = (fate?.forecast.replaced ?? []).map { loss -> JSONValue in
      [
        "signal": .string(loss.signal), "because": .string(loss.reason.words),
        "memories": .array(loss.memories.map { .string($0) }), "values": .number(Double(loss.values)),
      ]
    }
    return ["kept": .array((fate?.kept ?? []).map { .string($0) }), "replaced": .array(replaced)]
  }
}
