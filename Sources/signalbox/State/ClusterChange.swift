internal import Base
internal import Cluster
internal import GraphCatalogue
internal import GraphModel
internal import Linux
internal import Persistence
internal import StateLog
internal import WireProtocol

/// The commands that replace the log of a clustered graph, whose nodes are stopped at the time.
struct ClusterChange {
  private let graph: String
  private let configuration: StoredConfiguration
  private let log: LogReplacement
  /// True if nothing is to be changed.
  private let isForecast: Bool

  /// Moves the state of a graph from the folder to its empty log.
  static func `import`(_ graph: String, _ invocation: Invocation) throws(CommandError) {
    // The rights of the folder's owner suffice from here on.
    let location = try StateLocation(invocation)
    let change = try ClusterChange(graph, beside: .none, invocation)
    let transfer = try location.access { path throws(StorageError) in
      try ClusterTransfer(of: graph, in: try FolderReader(path), under: change.configuration)
    }
    try change.attempt { () throws(ServerFailure) in
      if change.isForecast, try change.log.isMissing() { return }
      let last = try change.log.last()
      if last > 0 {
        throw ServerFailure(
          "the log of graph \"\(graph)\" has begun, it has \(counted(Int(clamping: last), "record")): a folder's state is "
            + "imported before the first daemon starts with the clustered graph")
      }
      if change.isForecast { return }
      try change.log.replace(upTo: 0, by: transfer.snapshot, .start, program: programVersionText)
    }
    for signal in transfer.changed {
      invocation.output.line(
        "\(signal) \(change.isForecast ? "would begin" : "begins") without a state: it is declared in another way than in \(location.path)"
      )
    }
    invocation.output.line(
      "\(change.isForecast ? "would import" : "imported") \(graph) with \(counted(transfer.kept.count, "signal")) from \(location.path) into the cluster"
    )
  }

  /// Replaces a damaged log by the state at its last intact commit.
  static func repair(_ graph: String, _ invocation: Invocation) throws(CommandError) {
    let change = try ClusterChange(graph, beside: .stopped, invocation)
    var last: UInt64 = 0
    var part: LogReplacement.SoundPart?
    try change.attempt { () throws(ServerFailure) in
      last = try change.log.last()
      part = try change.log.read(upTo: last)
    }
    guard let part, last > 0 else { throw CommandError(.unknown, "the log of graph \"\(graph)\" is empty") }
    guard let snapshot = part.snapshot else {
      throw CommandError(.badValue, "no intact part: \(part.damage ?? "the log has no snapshot")")
    }
    let repair: ClusterRepair
    do throws(StorageError) { repair = try ClusterRepair(of: graph, from: snapshot, part.commits) } catch {
      throw CommandError(.badValue, "no intact part: \(error)")
    }
    guard let finding = part.damage ?? repair.finding else { return invocation.output.line("no damage found") }
    invocation.output.line(finding)
    // Each record behind the sound part may have been a commit that clients have seen.
    let lost = last - min(last, part.last) + UInt64(repair.unusable)
    try change.attempt { () throws(ServerFailure) in
      if change.isForecast { return }
      try change.log.replace(
        upTo: last, by: repair.snapshot(numbered: repair.last.number + lost + 1), .repair, program: programVersionText)
    }
    invocation.output.line(
      "\(change.isForecast ? "would keep" : "keeps") commit \(repair.last.number) of \(WallTime(microseconds: repair.last.time).text) and all before it"
    )
    invocation.output.line(
      "\(change.isForecast ? "would lose" : "lost") \(counted(Int(clamping: lost), "record")) behind it; the sequence numbers "
        + "of the graph start a new epoch")
  }

  /// The daemons that may run meanwhile.
  private enum Bystanders {
    case none
    /// Those that do not run the graph, since they have found its log to be damaged: they read it again by themselves.
    case stopped
  }

  private init(_ graph: String, beside bystanders: Bystanders, _ invocation: Invocation) throws(CommandError) {
    self.graph = graph
    isForecast = invocation.has("dry-run")
    let source = ConfigurationSource.withAdditions(invocation.text("config") ?? ConfigurationFiles.defaultPath)
    do throws(ConfigurationError) {
      configuration = try StoredConfiguration(reading: source, .systemWithoutAccounts)
    } catch { throw ConfigurationFiles.refusal(error, of: source, invocation.output) }
    guard let settings = configuration.configuration.server.cluster,
      configuration.configuration.graphs.contains(where: { $0.name == graph && $0.cluster != nil })
    else {
      throw CommandError(
        .unknown, "\(source.path): no clustered graph \(graph); give the configuration with --config PATH")
    }
    let channel = try RelayChannel.connect(1, to: settings.connection)[0]
    log = LogReplacement(channel, prefix: settings.prefix, graph: graph, replicas: settings.replicas)
    try attempt { () throws(ServerFailure) in
      if bystanders == .stopped, try log.isMissing() {
        throw ServerFailure(
          "the servers have no log of graph \"\(graph)\", so there is nothing to repair: the daemon that starts next begins "
            + "an empty one; `signalbox state import --cluster \(graph)` gives it the state of a folder before that")
      }
      if isForecast { return }
      let living = try log.livingNodes(owning: bystanders == .stopped).sorted().joined(separator: ", ")
      if !living.isEmpty {
        let subject = bystanders == .none ? "daemons of the cluster run" : "graph \"\(graph)\" runs"
        throw ServerFailure("\(subject): stop \(living) first, and start it afterwards")
      }
      try log.createStreams()
    }
  }

  private func attempt(_ body: () throws(ServerFailure) -> Void) throws(CommandError) {
    do throws(ServerFailure) { try body() } catch { throw CommandError(.failed, "\(error)") }
  }
}
