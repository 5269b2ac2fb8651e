internal import GraphModel
internal import JSON
internal import Linux

/// A test of the connections of a configuration, run by signalbox-bridge.
struct ConnectionTrial {
  /// A line about each connection that was tried.
  private(set) var findings: [String] = []
  /// True if all of these are as they should be.
  private(set) var isGood = true
  /// The connections that cannot be tried from here, with the reasons.
  private(set) var untried: [String] = []

  /// The longest time that all connections may take.
  private static let patience = Duration.seconds(60)

  init(_ connections: [PeerConnection]) throws(CommandError) {
    var lines: [JSONObject] = []
    for connection in connections {
      if !PeerKind.bundled.contains(connection.kind) {
        untried.append("\(connection.name) (\(connection.kind.rawValue)): its adapter is not part of signalbox")
      } else if connection.isOpen {
        untried.append("\(connection.name) (\(connection.kind.rawValue)): only the service has a part of its settings")
      } else {
        lines.append([
          "connection": .string(connection.name), "kind": .string(connection.kind.rawValue),
          "settings": .object(connection.settings),
        ])
      }
    }
    if lines.isEmpty { return }
    let program = CurrentProcess.programBeside("signalbox-bridge")
    guard ProgramFile.isRunnable(program) else {
      untried.append("\(counted(lines.count, "connection")): signalbox-bridge is not installed beside this program")
      return
    }
    try run(program, lines)
    findings = findings.map { line in connections.reduce(line) { $1.withoutSecrets($0) } }
  }

  private mutating func run(_ program: String, _ lines: [JSONObject]) throws(CommandError) {
    let input = lines.flatMap { Array((JSONValue.object($0).description + "\n").utf8) }
    var (output, errors): ([String], [String]) = ([], [])
    let run = try ProgramRun([program, "--check", "--input"], input: input) { stream, line in
      if stream == .output { output.append(line) } else { errors.append(line) }
    }
    let deadline = MonotonicInstant.now() + Self.patience
    while MonotonicInstant.now() < deadline {
      guard let status = try run.wait(until: deadline) else { continue }
      findings = output + errors
      isGood = status == .exited(0)
      return
    }
    run.stop()
    findings = output + ["no answer within 60 s"]
    isGood = false
  }
}
