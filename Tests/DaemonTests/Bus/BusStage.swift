import BusSupport
import GraphModel
import JSON
import Linux
import Signals
import Testing

@testable import Daemon
@testable import World

/// A bus, a loop with the daemon's buses, and services of a test on it.
final class BusStage {
  static let name = "org.example.Service"

  let bus: PrivateBus
  let loop: EventLoop
  let poller: Poller
  let buses: SystemBuses
  let lines = Lines()
  private let attachment: PollerAttachment

  /// The lines of the log.
  final class Lines: LogSink {
    private(set) var all: [String] = []
    func write(_ record: LogRecord) { all.append(record.message) }
    func count(of text: String) -> Int { all.count { $0.contains(text) } }
  }

  init(activated: [String: String] = [:], rules: Int = 20000) throws {
    bus = try PrivateBus(activated: activated, rules: rules)
    loop = try EventLoop()
    poller = try Poller()
    attachment = try poller.attach(to: loop)
    buses = SystemBuses(
      loop: loop, poller: poller, work: CooperativeTasks(loop: loop), log: Log(level: .debug, sink: lines))
  }

  deinit { buses.close() }

  // MARK: Services

  /// Creates a service that owns its name.
  func service(
    _ name: String? = BusStage.name, properties: [String: TestService.Property] = [:]
  ) throws -> TestService {
    let service = try TestService(on: bus.address, poller: poller)
    service.properties = properties
    try wait(until: service.connection.isReady)
    if let name {
      try service.own(name)
      try wait(until: service.owned.contains(name))
    }
    return service
  }

  // MARK: Graphs

  func object(_ path: String = TestService.path, of name: String = BusStage.name) -> BusObject {
    BusObject(bus: .address(bus.text), name: name, path: path)
  }

  func watch(
    _ properties: [String], every interval: Duration? = nil, activates: Bool = false, bytes: BusBytes = .numbers,
    at path: String = TestService.path, of name: String = BusStage.name
  ) -> Watched {
    let watched = Watched()
    let wanted = BusProperties(
      of: object(path, of: name), [.init(interface: TestService.interface, properties: properties)], every: interval,
      activates: activates, bytes: bytes)
    watched.disposable = buses.watch(wanted) { watched.take($0) }
    #expect(watched.events.isEmpty)
    return watched
  }

  func listen(
    to member: String, arguments: [Int: String] = [:], bytes: BusBytes = .numbers, at path: String = TestService.path
  ) -> Watched {
    let watched = Watched()
    let signal = BusSignal(
      of: object(path), interface: TestService.interface, member: member, arguments: arguments, bytes: bytes)
    watched.disposable = buses.listen(to: signal) { watched.take($0) }
    #expect(watched.events.isEmpty)
    return watched
  }

  func call(
    _ member: String, _ signature: String = "", _ arguments: [JSONValue] = [],
    interface: String = TestService.interface, activates: Bool = false, bytes: BusBytes = .numbers,
    at path: String = TestService.path, of name: String = BusStage.name
  ) throws -> BusAnswer {
    var answer: BusAnswer?
    let method = BusMethod(
      of: object(path, of: name), interface: interface, member: member, signature: signature, activates: activates,
      bytes: bytes, owner: "test.call")
    _ = buses.call(method, with: arguments) { answer = $0 }
    #expect(answer == nil)
    return try answered { answer }
  }

  func set(_ property: String, as signature: String? = nil, to value: JSONValue) throws -> BusAnswer {
    var answer: BusAnswer?
    let property = BusProperty(
      of: object(), interface: TestService.interface, name: property, signature: signature)
    _ = buses.set(property, to: value) { answer = $0 }
    #expect(answer == nil)
    return try answered { answer }
  }

  private func answered(_ answer: () -> BusAnswer?) throws -> BusAnswer {
    try wait(until: answer() != nil)
    return try #require(answer())
  }

  // MARK: Waiting

  /// Runs the loop until a condition holds.
  func wait(
    until condition: @autoclosure () throws -> Bool, _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let end = MonotonicInstant.now() + .seconds(60)
    while try !condition() {
      try #require(MonotonicInstant.now() < end, "nothing comes of it", sourceLocation: sourceLocation)
      try loop.runIteration(timeout: .seconds(1))
    }
  }

  /// Waits until all earlier messages of the service have been delivered.
  func awaitCalm() throws { _ = try call("Ping", interface: "org.freedesktop.DBus.Peer") }
}

/// The events of one watched object.
final class Watched {
  private(set) var events: [BusEvent] = []
  private(set) var values: [String: JSONValue] = [:]
  private(set) var isGone = false
  private(set) var refusals: [SignalFailure] = []
  var disposable: (any Disposable)?
  var onEvent: (BusEvent) -> Void = { _ in }

  func take(_ event: BusEvent) {
    events.append(event)
    switch event {
    case .properties(let changes):
      isGone = false
      values.merge(changes) { $1 }
    case .gone:
      isGone = true
      values = [:]
    case .refused(let failure): refusals.append(failure)
    case .arguments: break
    }
    onEvent(event)
  }
}

extension BusAnswer {
  var values: [JSONValue]? { if case .returned(let values) = self { values } else { nil } }
  var failure: SignalFailure? { if case .failed(let failure) = self { failure } else { nil } }
}
