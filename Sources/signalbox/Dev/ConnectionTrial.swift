internal import JSON
internal import Linux
internal import SignalGraph

/// A trial of the connections of a configuration, which signalbox-bridge makes.
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
      let settings = JSONValue.object(connection.settings).description
      if !PeerKind.bundled.contains(connection.kind) {
        untried.append("\(connection.name) (\(connection.kind.rawValue)): its adapter is not part of signalbox")
      } else if settings.contains("${") {
        untried.append("\(connection.name) (\(connection.kind.rawValue)): only the daemon has its credentials")
      } else {
        lines.append([
          "connection": .string(connection.name), "kind": .string(connection.kind.rawValue),
          "settings": .object(connection.settings),
        ])
      }
    }
    if lines.isEmpty { return }
    let program = Self.program
    guard ProgramFile.isRunnable(program) else {
      untried.append("\(counted(lines.count, "connection")): signalbox-bridge is not installed beside this program")
      return
    }
    try run(program, lines)
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

  /// The path of the bridge, beside this program.
  private static var program: String {
    let own = CurrentProcess.programPath
    return own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/signalbox-bridge"
  }
}
