internal import Base
internal import Cluster
internal import Glibc
internal import GraphCatalogue
internal import GraphModel
internal import JSON
internal import Linux

/// One run of `signalbox cluster test`.
struct ClusterTrial {
  private struct Result {
    let fact: ServerFact
    /// The extent of the check, or the reason that the fact does not hold.
    let finding: Swift.Result<String, ServerFailure>
  }

  private let settings: ClusterSettings
  private let servers: [String]
  private let version: ServerVersion
  private let results: [Result]

  static func run(_ invocation: Invocation) throws(CommandError) {
    let format = invocation.text("format") ?? (invocation.isJSON ? "json" : "text")
    guard ["text", "json"].contains(format) else { throw .usage("--format must be text or json, not \(format)") }
    let trial = try ClusterTrial(try ClusterSettings.load(invocation))
    if format == "json" { invocation.output.line(trial.json.json) } else { trial.print(to: invocation.output) }
    let failed = trial.results.count { if case .failure = $0.finding { true } else { false } }
    if failed > 0 { throw CommandError(.failed, format == "json" ? nil : "\(counted(failed, "fact")) failed") }
  }

  private init(_ settings: ClusterSettings) throws(CommandError) {
    self.settings = settings
    // An interruption leaves no stream behind.
    let signals = HeldSignals([SIGINT, SIGTERM, SIGHUP])
    defer { signals.release() }
    let channels = try RelayChannel.connect(3, to: settings.connection, until: signals)
    servers = Set(channels.compactMap(\.server)).sorted()
    let trial = ServerTrial(
      channels, prefix: settings.prefix, name: "test-\(OpenRecord.newBoot())", replicas: settings.replicas)
    var results: [Result] = []
    do throws(ServerFailure) {
      version = try trial.begin()
      for fact in ServerFact.allCases {
        do throws(ServerFailure) { results.append(Result(fact: fact, finding: .success(try trial.check(fact)))) } catch
        {
          results.append(Result(fact: fact, finding: .failure(error)))
        }
      }
    } catch {
      Self.remove(trial, channels)
      throw CommandError(.failed, "\(error)")
    }
    self.results = results
    for channel in channels { channel.interruption = nil }
    do throws(ServerFailure) { try trial.remove() } catch { throw CommandError(.failed, "\(error)") }
  }

  /// Removes the stream after a failure, which is told in the place of another one.
  private static func remove(_ trial: ServerTrial, _ channels: [RelayChannel]) {
    for channel in channels { channel.interruption = nil }
    try? trial.remove()
  }

  private func print(to output: Output) {
    output.line("server \(version.text) at \(servers.joined(separator: ", ")): \(version.syncing)")
    output.line("replicas: \(settings.replicas)")
    for result in results {
      switch result.finding {
      case .success(let extent):
        output.line(MarkedText("ok", .success) + MarkedText("      \(result.fact.statement) (\(extent))"))
      case .failure(let failure):
        output.line(MarkedText("failed", .error) + MarkedText("  \(result.fact.statement): \(failure)"))
      }
    }
  }

  private var json: JSONValue {
    [
      "connection": .string(settings.connection.name), "servers": .array(servers.map { .string($0) }),
      "version": .string(version.text), "syncing": .string(version.syncing),
      "replicas": .number(Double(settings.replicas)),
      "facts": .array(
        results.map { result in
          switch result.finding {
          case .success(let extent):
            ["fact": .string(result.fact.rawValue), "holds": true, "finding": .string(extent)]
          case .failure(let failure):
            ["fact": .string(result.fact.rawValue), "holds": false, "finding": .string("\(failure)")]
          }
        }),
    ]
  }
}

extension ClusterSettings {
  /// Returns the cluster of the configuration that an option names, else of the daemon's own.
  static func load(_ invocation: Invocation) throws(CommandError) -> ClusterSettings {
    let source = ConfigurationSource.withAdditions(invocation.text("config") ?? ConfigurationFiles.defaultPath)
    let configuration = try ConfigurationFiles.load(source, invocation.output)
    if let cluster = configuration.server.cluster { return cluster }
    throw CommandError(.unknown, "\(source.path): no cluster; server.cluster names the connection to its servers")
  }
}
