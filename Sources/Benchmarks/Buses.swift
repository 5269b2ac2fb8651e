import Base
import CAllocations
import Daemon
import Glibc
import GraphModel
import Linux
import ReactiveCore
import World

/// The costs of bus signals to their receivers.
///
/// All run on one poller, in turns: the work of the service is not counted. libsystemd's share has two figures:
/// delivering a message to a receiver that ignores it, and reading its values as well.
struct BusFigures {
  private static let name = "org.example.Benchmark"
  private static let interface = "org.example.Benchmark.Thing"
  private static let burst = 200

  private let address: BusAddress
  private let poller: Poller
  private let loop: EventLoop
  private let attachment: PollerAttachment
  private let service: BusConnection
  private let object: BusSlot

  init(_ address: BusAddress) throws {
    self.address = address
    poller = try Poller()
    loop = try EventLoop()
    attachment = try poller.attach(to: loop)
    service = try BusConnection(to: address, poller: poller) {}
    let connection = service
    object = try service.serve("/org/example", isWholeTree: true) { [unowned connection] call in
      try? Self.answer(call, on: connection)
    }
    let request = try service.request(Self.name) { _ in }
    while !service.isReady { try serve() }
    for _ in 0..<100 { try serve() }
    withExtendedLifetime(request) {}
  }

  private static func answer(_ call: borrowing BusMessage, on connection: BusConnection) throws {
    var message = try OutgoingBusMessage.answer(to: call)
    if call.member == "Get" { try message.append(.double(0), as: .variant) } else { try message.append(strings: "") }
    try connection.send(message)
  }

  /// Lets the service do its work.
  private func serve() throws {
    while try service.process() {}
    try service.arm()
    try loop.runIteration(timeout: .milliseconds(1))
  }

  private func announce(_ number: Int, at path: String) throws {
    var message = try OutgoingBusMessage.signal(
      "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: path, on: service)
    try message.append(strings: Self.interface)
    let member = BusValue.Member(key: "Percentage", value: .variant(.double, .double(Double(number) + 0.5)))
    try message.append(.dictionary([member]), as: .dictionary(key: .string, value: .variant))
    try message.append(.list([]), as: .array(.string))
    try service.send(message)
  }

  /// Microseconds of this thread for a bus signal, the median of rounds, starting with it in the socket.
  private func median(_ count: () -> Int, _ turn: () throws -> Void) throws -> Double {
    Benchmarks.median(
      of: try (0..<40).map { _ in
        let start = count()
        for number in 0..<Self.burst { try announce(number, at: Self.path(0)) }
        while try service.process() {}
        // The bus forwards them meanwhile.
        usleep(30_000)
        let begin = nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
        while count() < start + Self.burst { try turn() }
        return (nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) - begin) / Double(Self.burst) / 1000
      })
  }

  private static func path(_ number: Int) -> String { "/org/example/benchmark/devices/thing_\(number)" }

  private static func rule(_ number: Int) -> MatchRule {
    MatchRule(
      sender: name, path: path(number), interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
      arguments: [0: ExactText(interface)])
  }

  /// By libsystemd alone, optionally with the values read.
  func bare(isRead: Bool) throws -> Double {
    let counter = Counter(isRead: isRead)
    let connection = try BusConnection(to: address, poller: poller) {}
    while !connection.isReady { if try !connection.process() { try serve() } }
    let match = try connection.match(Self.rule(0), for: counter)
    for _ in 0..<100 where try !connection.process() { try serve() }
    defer { withExtendedLifetime((match, counter)) {} }
    return try median({ counter.count }) { if try !connection.process() { try connection.arm() } }
  }

  /// By the daemon's buses, up to the value delivered to a graph.
  func watched() throws -> Double {
    var count = 0
    let buses = SystemBuses(loop: loop, poller: poller, log: Log(sink: Nowhere()))
    let observation = buses.watch(properties(0)) { _ in count += 1 }
    while count == 0 { try serve() }
    for _ in 0..<100 { try serve() }
    defer { observation.dispose() }
    return try median({ count }) { try loop.runIteration(timeout: .zero) }
  }

  private func properties(_ number: Int) -> BusProperties {
    BusProperties(
      of: BusObject(bus: .session, name: Self.name, path: Self.path(number)),
      [.init(interface: Self.interface, properties: ["Percentage"])])
  }

  /// Bytes for each of a thousand watched objects: by libsystemd alone, by the daemon, and in their declarations.
  func bytes(of count: Int = 1000) throws -> (bare: Double, watched: Double, declared: Double) {
    let connection = try BusConnection(to: address, poller: poller) {}
    while !connection.isReady { if try !connection.process() { try serve() } }
    let counter = Counter(isRead: false)
    var matches: [BusMatch] = []
    matches.reserveCapacity(count)
    let bare = try growth(count) {
      for number in 0..<count {
        matches.append(try connection.match(Self.rule(number), for: counter))
        while try connection.process() {}
      }
      for _ in 0..<100 { if try !connection.process() { try serve() } }
    }
    matches = []
    var declarations: [BusProperties] = []
    declarations.reserveCapacity(count)
    let declared = try growth(count) { for number in 0..<count { declarations.append(properties(number)) } }
    var watches: [any Disposable] = []
    watches.reserveCapacity(count)
    var told = 0
    let buses = SystemBuses(loop: loop, poller: poller, log: Log(sink: Nowhere()))
    let watched = try growth(count) {
      for declaration in declarations { watches.append(buses.watch(declaration) { _ in told += 1 }) }
      while told < count { try serve() }
      for _ in 0..<100 { try serve() }
    }
    for observation in watches { observation.dispose() }
    return (bare, watched, declared)
  }

  private func growth(_ count: Int, _ work: () throws -> Void) throws -> Double {
    let before = signalbox_allocated_bytes()
    try work()
    return (Double(signalbox_allocated_bytes()) - Double(before)) / Double(count)
  }
}

/// Counts the messages of a match rule.
private final class Counter: BusMatchReceiver {
  private let isRead: Bool
  private(set) var count = 0

  init(isRead: Bool) { self.isRead = isRead }

  func matchAnswered(_ error: BusError?) {}

  func receive(_ message: borrowing BusMessage) {
    if isRead {
      _ = try? message.string()
      try? message.properties(["Percentage"]) { _, _ in }
      _ = try? message.value()
    }
    count += 1
  }
}

private struct Nowhere: LogSink {
  func write(_ record: LogRecord) {}
}

func printBuses() throws {
  guard let address = BusAddress.session else { return print("there is no session bus: dbus-run-session starts one") }
  let figures = try BusFigures(address)
  let (bare, read, watched) = (try figures.bare(isRead: false), try figures.bare(isRead: true), try figures.watched())
  print("µs of an announcement: " + column(bare, 6, digits: 2) + " brought by libsystemd, ", terminator: "")
  print(column(read, 6, digits: 2) + " read as well," + column(watched, 6, digits: 2) + " told to a graph")
  let bytes = try figures.bytes()
  print("bytes of a property:   " + column(bytes.bare, 6, digits: 0) + " of a match by libsystemd, ", terminator: "")
  print(column(bytes.watched, 6, digits: 0) + " watched, beside" + column(bytes.declared, 5, digits: 0) + " declared")
}
