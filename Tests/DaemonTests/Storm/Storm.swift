import Glibc
import GraphEngine
import Linux
import TestSupport
import Testing

@testable import Daemon

/// A storm: many clients' commands under many reloads, with each client's events compared with the model's.
final class Storm {
  private let daemon: TestDaemon
  private let model = StormModel(.plain)
  private let administrator: TestClient
  private var clients: [Int: TestClient] = [:]
  private var descriptors: [String] = []
  private var calls = 0
  /// The unanswered calls, by client.
  private var unanswered: [Int: Set<Int>] = [:]

  /// Executes a storm.
  ///
  /// - Returns: The first deviation from the model, with its command; `nil` without one.
  static func failure(of commands: [StormCommand], on kind: HostKind) throws -> String? {
    let storm = try Storm(kind)
    for (number, command) in commands.enumerated() {
      do {
        try storm.perform(command)
        if let difference = try storm.difference() { return "after command \(number), \(command):\n\(difference)" }
      } catch {
        return "at command \(number), \(command): \(error)"
      }
    }
    return try storm.unfinishedCalls() ?? storm.miscounts() ?? storm.traces()
  }

  /// Returns the fewest commands that still fail, by repeatedly leaving some out for a while.
  static func shrunk(
    _ commands: [StormCommand], on kind: HostKind, within patience: Duration = .seconds(120)
  ) -> [StormCommand] {
    let end = MonotonicInstant.now() + patience
    var commands = commands
    var portion = commands.count / 2
    while portion > 0 {
      var start = 0
      while start < commands.count {
        if MonotonicInstant.now() > end { return commands }
        var fewer = commands
        fewer.removeSubrange(start..<min(start + portion, fewer.count))
        if (try? failure(of: fewer, on: kind)) != .some(nil) { commands = fewer } else { start += portion }
      }
      portion /= 2
    }
    return commands
  }

  private init(_ kind: HostKind) throws {
    daemon = try kind.start(StormGraph.plain.yaml(""))
    administrator = try daemon.connect()
    // Descriptors that the daemon opens once stay open.
    try reload(StormGraph(signals: StormGraph.plain.signals, noise: [1: .none, 2: .none, 3: .none]))
    try reload(.plain)
    try waitForNoChildren(of: (daemon.host as? ProgramHost)?.process.identifier)
    descriptors = Self.descriptors(of: (daemon.host as? ProgramHost)?.process.identifier)
  }

  private func perform(_ command: StormCommand) throws {
    switch command {
    case .connect(let client):
      if clients[client] == nil { clients[client] = try daemon.connect() }
    case .disconnect(let client):
      guard clients.removeValue(forKey: client) != nil else { return }
      model.disconnect(client)
      unanswered[client] = nil
      try waitForClients()
    case .subscribe(let client, let wish):
      guard let connection = clients[client] else { return }
      try connection.say(wish.request)
      model.subscribe(client, wish)
    case .unsubscribe(let client, let wish):
      guard let connection = clients[client] else { return }
      try connection.say(wish.ending)
      model.unsubscribe(client, wish)
    case .send(let client, let name, let values):
      guard let connection = clients[client] else { return }
      try connection.say(#"{"op":"send","signal":"g.\#(name)","values":\#(values)}"#)
      model.send(values, to: name)
    case .complete(let client, let name):
      guard let connection = clients[client] else { return }
      try connection.say(#"{"op":"send","signal":"g.\#(name)","event":"completed"}"#)
      model.complete(name)
    case .restart(let name):
      try administrator.say("restart g\(name.map { ".\($0)" } ?? "")")
      model.restart(name)
    case .reload(let graph): try reload(graph)
    case .call(let client):
      guard let connection = clients[client] else { return }
      calls += 1
      unanswered[client, default: []].insert(calls)
      try connection.say(#"{"op":"call","id":\#(calls),"action":"g.act","value":\#(calls)}"#)
    case .write(let text):
      try daemon.folder.write(text, to: "log")
      try daemon.folder.write(text, to: "state")
    }
  }

  private func reload(_ graph: StormGraph) throws {
    try daemon.folder.writeConfiguration(graph.yaml(daemon.folder("")))
    try administrator.say("reload")
    let verdict = try administrator.line()
    guard verdict.hasPrefix(#"{"reply":"reload""#) else { throw Unexpected(verdict) }
    model.reload(graph)
  }

  // MARK: Comparing

  /// Settles all commands, and compares each client's events, signal by signal.
  private func difference() throws -> String? {
    for client in [administrator] + clients.sorted(by: { $0.key < $1.key }).map(\.value) {
      try client.say(#"{"op":"ping"}"#)
      let lines = try client.lines(upTo: #"{"reply":"ping"}"#)
      guard let number = clients.first(where: { $0.value === client })?.key else { continue }
      if let doubled = takeAnswers(in: lines, to: number) { return "client \(number): \(doubled)" }
      let (told, expected) = (Self.events(in: lines), model.takeTold(by: number))
      for key in Set(told.keys).union(expected.keys).sorted() where told[key] != expected[key] {
        return """
          client \(number) of \(key)
          was told:       \(told[key] ?? [])
          instead of:     \(expected[key] ?? [])
          """
      }
    }
    return nil
  }

  /// Returns the events by label and signal, without noise.
  private static func events(in lines: [String]) -> [String: [String]] {
    var events: [String: [String]] = [:]
    for line in lines where line.hasPrefix(#"{"event":""#) && !line.contains(#""signal":"g.n"#) {
      if line.contains(#""call":"#) { continue }
      guard let start = line.ranges(of: #""signal":""#).first?.upperBound else { continue }
      let label = line.ranges(of: #","subscription":""#).first.map {
        #","subscription":"\#(line[$0.upperBound...].prefix(2))"#
      }
      events[(label ?? "") + line[start...].prefix { $0 != "\"" }, default: []].append(line)
    }
    return events
  }

  // MARK: Calls

  /// Records the answers to calls; returns an unexpected one.
  private func takeAnswers(in lines: [String], to client: Int) -> String? {
    lines.first { line in
      guard line.hasPrefix(#"{"reply":"#), let id = line.number(behind: #""id":"#) else { return false }
      return unanswered[client]?.remove(Int(id)) == nil
    }
  }

  /// Waits until each call of a connected client has been answered, once.
  private func unfinishedCalls() throws -> String? {
    var difference: String?
    do {
      try daemon.iteration(within: .seconds(20)) {
        difference = try self.difference()
        return difference != nil || unanswered.values.allSatisfy(\.isEmpty)
      }
      return difference
    } catch {
      return "calls are not answered: \(unanswered)"
    }
  }

  /// Makes values call the action by each strategy, with a reload in between, and checks the counts: each value was
  /// called for once, or dropped and counted.
  private func miscounts() throws -> String? {
    try reload(.plain)
    var calling = StormGraph.calling
    calling.isActionKept = calls % 2 == 1
    try reload(calling)
    _ = try administrator.ask("restart g")
    let (before, told) = (try administrator.ask("stats"), StormTold())
    let observer = try daemon.connect()
    for name in ["act.values"] + (5..<9).map({ "n\($0)" }) { try observer.say("subscribe g.\(name)") }
    _ = try observer.ask("ping")
    let values = Array(1...8)
    try administrator.say(#"{"op":"send","signal":"g.a","values":\#(values)}"#)
    // Leaves all running calls unchanged.
    var changed = calling
    changed.noise[0] = StormSignal.Trait.none
    try administrator.say(#"{"op":"ping"}"#)
    _ = try administrator.lines(upTo: #"{"reply":"ping"}"#)
    try reload(changed)
    var difference: String? = "nothing was looked at"
    do {
      try daemon.iteration(within: .seconds(20)) {
        try observer.say(#"{"op":"ping"}"#)
        told.take(try observer.lines(upTo: #"{"reply":"ping"}"#))
        let stats = try administrator.ask("stats")
        difference = told.difference(from: values.count) { number in
          stats.dropped(by: "g.n\(number)") - before.dropped(by: "g.n\(number)")
        }
        return difference == nil
      }
    } catch {
      return difference.map { "of \(values.count) values: \($0)" }
    }
    return told.doubled.map { "the call \($0) came twice" }
  }

  // MARK: Traces

  /// Returns what the storm has left behind after all clients have disconnected and the graph is restored.
  private func traces() throws -> String? {
    clients = [:]
    try waitForClients()
    try reload(.plain)
    let stats = try administrator.ask("stats")
    let counts = stats.ranges(of: #""subscribers":"#).map {
      stats[$0.upperBound...].prefix { $0.isNumber || $0 == "-" }
    }
    if let count = counts.first(where: { $0 != "0" }) { return "\(count) subscribers are left: \(stats)" }
    if stats.number(behind: #""daemon":{"#) == nil && !stats.contains(#""subscriptions":0"#) { return stats }
    if let host = daemon.host as? LoopHost, host.daemon.hub.runtime.nextDeadline != nil { return "a timer is left" }
    guard let process = (daemon.host as? ProgramHost)?.process.identifier else { return nil }
    do { try waitForNoChildren(of: process) } catch { return "children are left: \(Self.children(of: process))" }
    do {
      try daemon.iteration { Self.descriptors(of: process).count <= descriptors.count }
    } catch {
      return "descriptors are left:\n\(Self.descriptors(of: process))\nwhere there were\n\(descriptors)"
    }
    return nil
  }

  private func waitForClients() throws { try administrator.wait(forConnections: 1 + clients.count) }

  private func waitForNoChildren(of process: pid_t?) throws {
    if let process { try daemon.iteration { Self.children(of: process).isEmpty } }
  }

  private static func children(of process: pid_t) -> String {
    Self.contents(of: "/proc/\(process)/task/\(process)/children")
  }

  /// Returns the target of each descriptor of a process.
  private static func descriptors(of process: pid_t?) -> [String] {
    guard let process, let folder = opendir("/proc/\(process)/fd") else { return [] }
    defer { closedir(folder) }
    var descriptors: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      var bytes = [CChar](repeating: 0, count: 256)
      let count = readlink("/proc/\(process)/fd/\(name)", &bytes, bytes.count)
      if count > 0 {
        descriptors.append(String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self))
      }
    }
    return descriptors.sorted()
  }

  private static func contents(of path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
