internal import Base
internal import Linux
internal import Persistence
internal import StateLog

/// The commands that change a state folder, which no daemon may have open at the time.
enum StateChange {
  static func reset(_ graph: String, _ invocation: Invocation) throws(CommandError) {
    let isDry = invocation.has("dry-run")
    let reset = try StateLocation(invocation).access { path throws(StorageError) in
      isDry ? try StateReset(of: graph, in: try FolderReader(path)) : try StateReset.carryOut(of: graph, in: path)
    }
    guard reset.graphs.contains(graph) else {
      let others = reset.graphs.isEmpty ? "" : "; graphs with state: \(reset.graphs.joined(separator: ", "))"
      let hint = Suggestion.likely(for: graph, among: reset.graphs).map { "; did you mean \($0)?" } ?? others
      throw CommandError(.unknown, "no durable graph \(graph) with state\(hint)")
    }
    if let repair = reset.repair { report(repair, isDry: isDry, to: invocation.output) }
    if reset.signals.isEmpty { return invocation.output.line("\(graph) has no durable signals to reset") }
    let verb = isDry ? "would be reset" : "was reset"
    for signal in reset.signals { invocation.output.line("\(signal) \(verb)") }
    for signal in reset.others { invocation.output.line("\(signal) \(verb) (computed from reset signals)") }
  }

  static func repair(_ invocation: Invocation) throws(CommandError) {
    let isDry = invocation.has("dry-run")
    let repair = try StateLocation(invocation).access { path throws(StorageError) in
      isDry ? try StateRepair(of: try FolderReader(path)) : try StateRepair.carryOut(in: path)
    }
    report(repair, isDry: isDry, to: invocation.output)
  }

  private static func report(_ repair: StateRepair, isDry: Bool, to output: Output) {
    guard let damage = repair.damage else { return output.line("no damage found") }
    output.line(damage.finding)
    let last = "commit \(repair.last.number) of \(WallTime(microseconds: repair.last.time).text)"
    output.line("\(isDry ? "would keep" : "keeps") \(last) and all before it")
    if repair.isLost, repair.lostCommits == 0, repair.lostValues ?? 0 == 0 {
      output.line(
        "\(isDry ? "may lose" : "may have lost") an unknown number of later commits; the sequence numbers of all "
          + "durable signals start a new epoch")
    } else if repair.isLost {
      let values = repair.lostValues.map { counted($0, "value") } ?? "an unknown number of values"
      let commits = counted(Int(clamping: repair.lostCommits), "commit")
      output.line(
        "\(isDry ? "would lose" : "lost") the later part: \(commits) with \(values); the sequence numbers of all durable "
          + "signals start a new epoch")
    } else {
      output.line("nothing lost")
    }
    if let kept = repair.kept { output.line("the damaged database was moved to \(kept)") }
  }

  static func export(_ invocation: Invocation) throws(CommandError) {
    if invocation.output.isTerminal { throw .usage("export writes binary data: redirect it with > FILE") }
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
        "no folder \(location.path); root cannot create it for the daemon: create it as the daemon's "
          + "user: install -d -m 0700 -o USER \(location.path)")
    }
    let graphs = try location.access { path throws(StorageError) in
      try StateTransfer.import(content, of: file, into: path)
    }
    invocation.output.line("imported \(graphs.joined(separator: ", ")) into \(location.path)")
  }
}
