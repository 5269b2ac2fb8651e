import BusSupport
import Linux
import TestSupport
import Testing

@testable import Daemon

/// A daemon with signals on a bus, and another client of that bus.
final class ServiceStage {
  static let interface = "org.signalbox.Signal1"
  static let name = "org.signalbox.Signalbox"

  let bus: PrivateBus
  let daemon: TestDaemon
  /// The loop of the other client, since a loop serves one poller.
  private let loop: EventLoop
  private let poller: Poller
  private let attachment: PollerAttachment
  private(set) var peer: BusConnection
  private var slots: [BusSlot] = []
  private var listeners: [(TestListener, BusMatch)] = []
  /// The received messages, by their members.
  private(set) var heard: [(member: String, values: [BusValue])] = []

  private var host: LoopHost {
    guard let host = daemon.host as? LoopHost else { fatalError("it runs in this process") }
    return host
  }

  init(_ graphs: String, server: String = "", beforeStart: (PrivateBus) throws -> Void = { _ in }) throws {
    bus = try PrivateBus()
    try beforeStart(bus)
    daemon = try HostKind.inProcess.start(graphs, server: "{dbus: {bus: \"\(bus.text)\"}\(server)}")
    loop = try EventLoop()
    poller = try Poller()
    attachment = try poller.attach(to: loop)
    peer = try Self.connect(to: bus, poller)
  }

  /// Writes another configuration, and reloads the daemon.
  func reload(_ graphs: String, server: String = "") throws -> String {
    try daemon.folder.writeConfiguration(graphs, server: "{dbus: {bus: \"\(bus.text)\"}\(server)}")
    return try daemon.connect().ask("reload")
  }

  /// Connects to a restarted bus.
  func connectAgain() throws {
    slots = []
    listeners = []
    peer = try Self.connect(to: bus, poller)
  }

  private static func connect(to bus: PrivateBus, _ poller: Poller) throws -> BusConnection {
    var process: () -> Void = {}
    let peer = try BusConnection(to: bus.address, poller: poller) { process() }
    process = { [weak peer] in
      guard let peer else { return }
      while (try? peer.process()) == true {}
      try? peer.arm()
    }
    return peer
  }

  /// Returns true if the log contains a text.
  func says(_ text: String) -> Bool { host.log.records.contains { $0.message.contains(text) } }

  func wait(until condition: () throws -> Bool) throws {
    try daemon.iteration(within: .seconds(20)) {
      try loop.runIteration(timeout: .zero)
      return try condition()
    }
  }

  func awaitName() throws { try wait { peer.isReady && says("owns \(Self.name)") } }

  // MARK: Calls

  /// Calls a method of an object, and returns its answer.
  func call(
    _ member: String, of interface: String = ServiceStage.interface, at path: String,
    _ arguments: [(BusType, BusValue)] = []
  ) throws -> Result<BusValue, BusError> {
    var answer: Result<BusValue, BusError>?
    try begin(member, of: interface, at: path, arguments) { answer = $0 }
    try wait { answer != nil }
    return try #require(answer)
  }

  func begin(
    _ member: String, of interface: String = ServiceStage.interface, at path: String,
    _ arguments: [(BusType, BusValue)], _ answered: @escaping (Result<BusValue, BusError>) -> Void
  ) throws {
    try wait { peer.isReady }
    var message = try OutgoingBusMessage.call(
      of: member, interface, at: "/org/signalbox/\(path)", of: Self.name, on: peer)
    for (type, value) in arguments { try message.append(value, as: type) }
    slots.append(
      try peer.call(message, timeout: .seconds(60)) { answer in
        if let error = answer.error {
          answered(.failure(error))
        } else {
          answered(.success((try? answer.values().first) ?? .list([])))
        }
      })
    try peer.arm()
  }

  func get(_ property: String = "Value", at path: String) throws -> Result<BusValue, BusError> {
    try call(
      "Get", of: "org.freedesktop.DBus.Properties", at: path,
      [(.string, .string(Self.interface)), (.string, .string(property))])
  }

  func send(_ value: BusValue, to path: String) throws -> Result<BusValue, BusError> {
    try call("Send", at: path, [(.variant, value)])
  }

  /// Receives the signals of an object from now on.
  func listen(at path: String) throws {
    try wait { peer.isReady }
    for (interface, member) in [(Self.interface, "Next"), ("org.freedesktop.DBus.Properties", "PropertiesChanged")] {
      let rule = MatchRule(
        sender: Self.name, path: "/org/signalbox/\(path)", interface: interface, member: member)
      let listener = TestListener { [unowned self] values in heard.append((member, values)) }
      listeners.append((listener, try peer.match(rule, for: listener)))
      try peer.arm()
      try wait { !listener.answers.isEmpty }
    }
  }

  /// The numbers of the received values.
  var numbers: [Int64] {
    heard.compactMap { member, values in
      if member == "Next", case .integer(let number)? = values.last { number } else { nil }
    }
  }
}

extension Result where Success == BusValue, Failure == BusError {
  var value: BusValue? { try? get() }
  /// The name of the error, without the common prefix.
  var error: String? {
    if case .failure(let error) = self { error.name.split(separator: ".").last.map(String.init) } else { nil }
  }
}
