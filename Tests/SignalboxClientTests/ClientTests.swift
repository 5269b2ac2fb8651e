import ReactiveCore
import SignalboxClient
import Synchronization
import Testing
import WireProtocol

/// The library's results for a program; `clients/conformance` breaks its connections at every byte.
struct ClientTests {
  private static let graphs = """
      climate:
        signals:
          raw: {input: {type: object}, replay: 10}
          alarm: {from: raw, pipe: [{map: ".celsius > 30"}, skip_repeats], hold: true}
          limit: {property: {initial: 30, type: number}}
          ending: {input: {type: number, endable: true}}
        actions:
          double: {exec: [jq, -c, ". * 2, . * 4"], format: json}
          wait: {exec: [sh, -c, "echo 1; exec sleep 3600"], format: json}
      shop:
        durable: true
        signals:
          orders: {input: {type: number}, replay: 1000}
    """

  private struct Reading: Codable, Sendable, Equatable {
    var celsius: Double
  }

  @Test func `its codes are those of the protocol`() {
    #expect(SignalboxError.Code.all.map(\.rawValue) == ErrorCode.allCases.map(\.rawValue))
  }

  @Test func `values are of the program's own types`() async throws {
    let daemon = try Daemon(Self.graphs)
    let client = Client(path: daemon.socket)
    let raw = client.signal("climate.raw", as: Reading.self)
    #expect(try await raw.send(Reading(celsius: 31)).seq == 1)
    #expect(try await client.signal("climate.alarm", as: Bool.self).get().value)
    #expect(try await raw.get().value == Reading(celsius: 31))
    var iterator = raw.values.makeAsyncIterator()
    #expect(try await iterator.next() == Reading(celsius: 31))
    try await client.send(contentsOf: [Reading(celsius: 1), Reading(celsius: 2)], to: "climate.raw")
    #expect(try await [iterator.next(), iterator.next()] == [Reading(celsius: 1), Reading(celsius: 2)])
    #expect(try await client.hello()["server"] == "signalbox")
    #expect(try await client.list("shop.*").compactMap { $0["signal"] } == ["shop.orders"])
  }

  @Test func `a producer and a property follow a signal`() async throws {
    let daemon = try Daemon(Self.graphs)
    let client = Client(path: daemon.socket)
    let limit = client.signal("climate.limit", as: Double.self)
    let property = limit.property(initial: -1)
    #expect(property.value == -1 || property.value == 30)
    // The first values may have arrived before the observation.
    var values = property.producer.filter { $0 >= 0 }.values.makeAsyncIterator()
    #expect(await values.next() == 30)
    try await limit.send(25)
    #expect(await values.next() == 25)
    #expect(property.value == 25)
  }

  @Test func `a signal's ending is the ending of its producer and of its values`() async throws {
    let daemon = try Daemon(Self.graphs)
    let client = Client(path: daemon.socket)
    let signal = client.signal("climate.ending", as: Int.self)
    try await client.end("climate.ending", with: .failed(code: "broken", message: "it fell down"))
    await #expect(
      throws: SignalboxError(
        .init(rawValue: "broken"), "it fell down",
        details: [
          "code": "broken", "message": "it fell down",
        ])
    ) { for try await _ in signal.values {} }
    await #expect(throws: SignalboxError.self) { for try await _ in signal.producer.values {} }
  }

  @Test func `a subscription resumes exactly with a daemon that was killed, and reports what restarts`() async throws {
    let daemon = try Daemon(Self.graphs)
    let client = Client(path: daemon.socket, backoff: .zero ... .milliseconds(20))
    let orders = try await client.subscribe(to: "shop.orders", as: Int.self)
    let limit = try await client.subscribe(to: "climate.limit", as: Int.self)
    #expect(try await limit.next()?.value == 30)
    for number in 1...5 {
      try await client.send(number * 2, to: "shop.orders", messageID: "\(number)")
      daemon.kill()
      // Sent while no daemon runs, and answered by the next one.
      async let sent = client.send(number * 2 + 1, to: "shop.orders", messageID: "\(number).5")
      try daemon.start()
      #expect(try await sent.seq == number * 2)
    }
    for number in 2...11 { #expect(try await orders.next()?.value == number) }
    guard case .restarted? = try await limit.next()?.kind else {
      throw SignalboxError(.internal, "no restart is reported")
    }
    #expect(try await limit.next()?.value == 30)
  }

  @Test func `a subscription resumes where an earlier run of the program was`() async throws {
    let daemon = try Daemon(Self.graphs)
    let client = Client(path: daemon.socket)
    try await client.send(contentsOf: [1, 2, 3], to: "shop.orders")
    let first = try await client.subscribe(to: "shop.orders", as: Int.self)
    guard case .next(1, let seq, let epoch, _)? = try await first.next()?.kind else {
      throw SignalboxError(.internal, "no value")
    }
    var options = SubscriptionOptions()
    options.position = ["shop.orders": Place(seq: seq, epoch: epoch)]
    options.take = 2
    let second = try await client.subscribe(to: "shop.orders", as: Int.self, options)
    var values: [Int] = []
    for try await event in second { if let value = event.value { values.append(value) } }
    #expect(values == [2, 3])
  }

  @Test func `what is refused has the protocol's code`() async throws {
    let daemon = try Daemon(Self.graphs)
    let client = Client(path: daemon.socket)
    func code(_ work: () async throws -> Void) async -> SignalboxError.Code? {
      do { try await work() } catch { return (error as? SignalboxError)?.code }
      return nil
    }
    #expect(await code { try await client.send(1, to: "climate.row") } == .unknownSignal)
    #expect(await code { try await client.send("x", to: "climate.limit") } == .badValue)
    #expect(await code { _ = try await client.get("climate.raw", as: Int.self) } == .noValue)
    #expect(await code { _ = try await client.get("climate.limit", as: String.self) } == .undecodable)
    #expect(await code { _ = try await client.subscribe(to: "climate.row", as: Int.self) } == .unknownSignal)
    #expect(await code { try await client.send(1, to: "climate.limit", messageID: "x") } == .badRequest)
    let long = Client(path: "/" + String(repeating: "x", count: 200))
    #expect(await code { try await long.ping() } == .badRequest)
  }

  @Test func `an action is called, and cancelled with the iteration`() async throws {
    let daemon = try Daemon(Self.graphs)
    let client = Client(path: daemon.socket)
    var values: [Int] = []
    for try await value in client.call("climate.double", 4, as: Int.self) { values.append(value) }
    #expect(values == [8, 16])
    let first = client.call("climate.wait", as: Int.self).makeAsyncIterator()
    #expect(try await first.next() == 1)
    nonisolated(unsafe) let outputs = first
    let rest = Task { try await outputs.next() }
    await #expect(throws: SignalboxError.self) { _ = try await Self.firstOutput(client) }
    rest.cancel()
    #expect(try await rest.value == nil)
    // The action may run again once the daemon has ended its program.
    while (try? await Self.firstOutput(client)) == nil { await Task.yield() }
  }

  private static func firstOutput(_ client: Client) async throws -> Int? {
    try await client.call("climate.wait", as: Int.self).makeAsyncIterator().next()
  }

  @Test func `the end of a task ends what it waits for`() async throws {
    let daemon = try Daemon(Self.graphs)
    let client = Client(path: daemon.socket)
    let subscription = try await client.subscribe(to: "climate.raw", as: Reading.self)
    let iteration = Task { try await subscription.next() }
    iteration.cancel()
    #expect(try await iteration.value == nil)
    let nowhere = Client(path: "/nowhere/socket")
    let request = Task { try await nowhere.ping() }
    request.cancel()
    await #expect(throws: SignalboxError.self) { try await request.value }
    await nowhere.close()
    await #expect(throws: SignalboxError.self) { try await nowhere.ping() }
  }
}
