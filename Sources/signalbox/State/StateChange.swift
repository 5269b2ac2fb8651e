internal import Journal
internal import Persistence
internal import Spelling

/// The commands that change a folder, which no daemon may have open then.
enum StateChange {
  static func reset(_ graph: String, _ invocation: Invocation) throws(CommandError) {
    let isDry = invocation.has("dry-run")
    let reset = try StateLocation(invocation).access { path throws(StorageError) in
      isDry ? try StateReset(of: graph, in: try FolderReader(path)) : try StateReset.carryOut(of: graph, in: path)
    }
    guard !reset.signals.isEmpty else {
      let hint = Suggestion.likely(for: graph, among: reset.graphs).map { "; did you mean \($0)?" } ?? ""
      throw CommandError(.unknown, "no durable graph \(graph) has a state\(hint)")
    }
    let verb = isDry ? "would begin" : "begins"
    for signal in reset.signals { invocation.output.line("\(signal) \(verb) afresh") }
    for signal in reset.others { invocation.output.line("\(signal) \(verb) afresh, since it is computed from them") }
  }
}
