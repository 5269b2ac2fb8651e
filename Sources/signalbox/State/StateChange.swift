internal import Journal
internal import Linux
internal import Persistence
internal import Spelling

/// The commands that change a folder, which no daemon may have open then.
enum StateChange {
  static func reset(_ graph: String, _ invocation: Invocation) throws(CommandError) {
    let isDry = invocation.has("dry-run")
    let reset = try StateLocation(invocation).access { path throws(StorageError) in
      isDry ? try StateReset(of: graph, in: try FolderReader(path)) : try StateReset.carryOut(of: graph, in: path)
    }
    guard reset.graphs.contains(graph) else {
      let others = reset.graphs.isEmpty ? "" : "; those that have one: \(reset.graphs.joined(separator: ", "))"
      let hint = Suggestion.likely(for: graph, among: reset.graphs).map { "; did you mean \($0)?" } ?? others
      throw CommandError(.unknown, "no durable graph \(graph) has a state\(hint)")
    }
    if reset.signals.isEmpty { return invocation.output.line("\(graph) has no durable signals to reset") }
    let verb = isDry ? "would begin" : "begins"
    for signal in reset.signals { invocation.output.line("\(signal) \(verb) afresh") }
    for signal in reset.others { invocation.output.line("\(signal) \(verb) afresh, since it is computed from them") }
  }

  static func repair(_ invocation: Invocation) throws(CommandError) {
    let isDry = invocation.has("dry-run")
    let repair = try StateLocation(invocation).access { path throws(StorageError) in
      isDry ? try StateRepair(of: try FolderReader(path)) : try StateRepair.carryOut(in: path)
    }
    let output = invocation.output
    guard let damage = repair.damage else { return output.line("nothing is damaged") }
    output.line(damage.finding)
    let last = "commit \(repair.last.number) of \(WallTime(microseconds: repair.last.time).text)"
    output.line("\(isDry ? "would keep" : "keeps") \(last) and all before it")
    if repair.isLost {
      let values = repair.lostValues.map { counted($0, "value") } ?? "an unknown number of values"
      let commits = counted(Int(clamping: repair.lostCommits), "commit")
      output.line(
        "\(isDry ? "would lose" : "has lost") what came since: \(commits) with \(values); the numbers of all durable "
          + "signals begin a new epoch")
    } else {
      output.line("nothing is lost")
    }
    if let kept = repair.kept { output.line("the damaged database is now \(kept)") }
  }

  static func export(_ invocation: Invocation) throws(CommandError) {
    if invocation.output.isTerminal { throw .usage("export prints a file: write > FILE behind it") }
    let parent = CurrentProcess.environment("TMPDIR") ?? "/tmp"
    let content = try StateLocation(invocation).access { path throws(StorageError) in
      try StateTransfer.export(try FolderReader(path), in: parent)
    }
    invocation.output.bytes(content)
  }

  static func `import`(_ file: String, _ invocation: Invocation) throws(CommandError) {
    let content: [UInt8]
    do throws(FileError) { content = try RegularFile.read(file, limit: .max - 1) } catch {
      throw CommandError(.unreadable, "\(error)")
    }
    let location = try StateLocation(invocation)
    if CurrentProcess.userID == 0, FilePermissions(path: location.path) == nil {
      throw CommandError(
        .unreadable,
        "there is no folder \(location.path), and one that root makes the daemon could not use; make it for the daemon's "
          + "user: install -d -m 0700 -o USER \(location.path)")
    }
    let graphs = try location.access { path throws(StorageError) in
      try StateTransfer.import(content, of: file, into: path)
    }
    invocation.output.line("\(location.path) holds \(graphs.joined(separator: ", ")) now")
  }
}
