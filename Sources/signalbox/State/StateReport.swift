internal import JSON
internal import Linux
internal import Persistence
internal import StateLog

/// The contents of a state folder, for `state`.
struct StateReport {
  private let path: String
  private let epoch: String
  private let statistics: StateStatistics
  /// The recovered graphs, or the reason that they cannot be recovered.
  private let overview: Result<StateOverview, StorageError>

  static func report(_ location: StateLocation, _ invocation: Invocation) throws(CommandError) {
    let report = try location.access { path throws(StorageError) in try StateReport(path) }
    if invocation.isJSON {
      invocation.output.line(report.json.json)
    } else {
      report.print(to: invocation.output)
    }
    if case .failure(let error) = report.overview { throw location.failure(error) }
  }

  private init(_ path: String) throws(StorageError) {
    let reader = try FolderReader(path)
    self.path = path
    epoch = reader.epoch
    (statistics, overview) = try reader.atOneMoment { () throws(StorageError) in
      let statistics = try reader.statistics()
      do throws(StorageError) { return (statistics, .success(try StateOverview(of: reader))) } catch {
        return (statistics, .failure(error))
      }
    }
  }

  // MARK: For people

  private func print(to output: Output) {
    var table = Table("WHAT", "IS")
    let owner = statistics.owner.map { ", in use by process \($0)" } ?? ""
    table.add("folder", "\(path), \(Figures.bytes(Double(statistics.bytes)))\(owner)")
    table.add(
      "journal", "\(counted(statistics.commits, "commit")) with \(counted(statistics.entries, "value"))")
    if let snapshot = statistics.newestSnapshot {
      let bytes = Figures.bytes(Double(statistics.snapshotBytes))
      table.add("snapshot", "\(bytes), at commit \(snapshot.number), \(time(snapshot.time))")
    }
    if let commit = statistics.lastCommit ?? statistics.newestSnapshot {
      table.add("commit", "\(commit.number), \(time(commit.time))")
    }
    guard case .success(let overview) = overview else { return table.print(to: output) }
    table.add("recovery", recovery(overview))
    table.print(to: output)
    if overview.graphs.isEmpty { return }
    if output.isForPeople { output.line("") }
    var graphs = Table("GRAPH", "SIGNALS", "STATE", "VALUES", "LAST", "MESSAGES")
    for graph in overview.graphs {
      graphs.add(
        graph.name, "\(graph.signals)", Figures.bytes(Double(graph.bytes)), "\(graph.values)",
        graph.lastValue.map(time) ?? "-", "\(graph.messages)")
    }
    graphs.print(to: output)
  }

  private func recovery(_ overview: StateOverview) -> String {
    let seconds = overview.recoverySeconds
    let span = seconds < 1 ? "less than 1s" : "about \(Figures.span(seconds.rounded(.up)))"
    let behind = "\(counted(overview.valuesBehind, "value")) after the snapshot"
    return "\(span) for \(behind), at \(StateOverview.recoveryRate) a second"
  }

  private func time(_ microseconds: Int64) -> String { WallTime(microseconds: microseconds).text }

  // MARK: For programs

  private var json: JSONValue {
    var object: JSONObject = [
      "folder": .string(path), "epoch": .string(epoch), "created": .string(time(statistics.created)),
      "written_by": .string(statistics.program), "bytes": .number(Double(statistics.bytes)),
      "process": statistics.owner.map { .number(Double($0)) } ?? .null,
      "commits": .number(Double(statistics.commits)), "values": .number(Double(statistics.entries)),
      "first_commit": mark(statistics.firstCommit), "last_commit": mark(statistics.lastCommit),
      "snapshot": mark(statistics.newestSnapshot, [("bytes", .number(Double(statistics.snapshotBytes)))]),
    ]
    switch overview {
    case .failure(let error): object["damage"] = .string("\(error)")
    case .success(let overview):
      object["recovery"] = [
        "commits": .number(Double(overview.commitsBehind)), "values": .number(Double(overview.valuesBehind)),
        "rate": .number(Double(StateOverview.recoveryRate)), "seconds": .number(overview.recoverySeconds),
      ]
      object["graphs"] = .array(overview.graphs.map(json))
    }
    return .object(object)
  }

  private func mark(_ mark: StateStatistics.Mark?, _ more: [(String, JSONValue)] = []) -> JSONValue {
    guard let mark else { return .null }
    let members: [(String, JSONValue)] = [
      ("number", .number(Double(mark.number))), ("at", .string(time(mark.time))),
    ]
    return .object(JSONObject(members + more))
  }

  private func json(_ graph: StateOverview.Graph) -> JSONValue {
    [
      "graph": .string(graph.name), "signals": .number(Double(graph.signals)), "bytes": .number(Double(graph.bytes)),
      "values": .number(Double(graph.values)), "last_value": graph.lastValue.map { .string(time($0)) } ?? .null,
      "messages": .number(Double(graph.messages)),
    ]
  }
}
