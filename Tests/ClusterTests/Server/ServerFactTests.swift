import Signals
import TestSupport
import Testing

@testable import Cluster

@Suite(.enabled(if: NATSServer.isInstalled, "nats-server is not installed")) struct `The facts about servers` {
  private func trial(_ channels: [any ServerChannel], rounds: Int = 300) -> ServerTrial {
    ServerTrial(channels, prefix: "house", name: "trial", replicas: 1, rounds: rounds, within: .seconds(30))
  }

  private func clients(of server: NATSServer) throws -> [NATSClient] {
    try (0..<3).map { _ in try NATSClient(port: server.port) }
  }

  @Test(arguments: ServerFact.allCases) func `hold on a real server`(_ fact: ServerFact) throws {
    let server = try NATSServer()
    let trial = trial(try clients(of: server))
    _ = try trial.begin()
    #expect(throws: Never.self) { try trial.check(fact) }
    try trial.remove()
  }

  @Test func `hold one after the other in one stream, which is removed`() throws {
    let server = try NATSServer()
    let clients = try clients(of: server)
    let first = trial(clients, rounds: 10)
    #expect(try !first.begin().text.isEmpty)
    for fact in ServerFact.allCases { _ = try first.check(fact) }
    try first.remove()
    let names = JetStreamNames(prefix: "house", log: LogName(graph: "trial"))
    var reply: IncomingMessage?
    clients[0].request(JetStreamLog(names, replicas: 1).message(for: .info)) { reply = $0 }
    while reply == nil { try clients[0].receive(within: .milliseconds(100)) }
    #expect(reply.flatMap { JetStreamLog.error(in: $0)?.code } == JetStreamError.noStream)
  }

  @Test(arguments: [
    (Fault.fencesNothing, ServerFact.fence), (.losesDeliveries, .order), (.losesLongMessages, .size),
    (.countsAgain, .acknowledgement), (.purgesNothing, .purge),
  ])
  func `are found wanting where a server differs`(_ fault: Fault, _ fact: ServerFact) throws {
    let server = try NATSServer()
    let channels = try clients(of: server).map { FaultyChannel($0, fault) }
    let trial = trial(channels, rounds: 20)
    _ = try trial.begin()
    #expect(throws: ServerFailure.self) { try trial.check(fact) }
    try trial.remove()
  }
}

/// The way in which a server differs from what clusters need.
enum Fault: CaseIterable {
  case fencesNothing, losesDeliveries, losesLongMessages, countsAgain, purgesNothing
}

/// A connection to a server that seems to have a fault.
final class FaultyChannel: ServerChannel {
  private let client: NATSClient
  private let fault: Fault
  private var deliveries = 0

  init(_ client: NATSClient, _ fault: Fault) { (self.client, self.fault) = (client, fault) }

  var inbox: String { client.inbox }

  func request(_ message: OutgoingMessage, _ handler: @escaping (IncomingMessage) -> Void) {
    var message = message
    switch fault {
    case .fencesNothing: message.headers = [:]
    case .losesLongMessages where message.payload.count > 900_000: return
    case .purgesNothing where message.subject.contains("PURGE"):
      message = OutgoingMessage(subject: message.subject.replacing("PURGE", with: "INFO"))
    case .countsAgain where !message.headers.isEmpty:
      return client.request(message) { reply in
        var reply = reply
        let text = String(decoding: reply.payload, as: UTF8.self)
        reply.payload = Array(text.replacing(#/"seq":\d+/#, with: #""seq":1"#).utf8)
        handler(reply)
      }
    default: break
    }
    client.request(message, handler)
  }

  func publish(_ message: OutgoingMessage, reply: String) { client.publish(message, reply: reply) }

  func subscribe(_ subject: String, _ handler: @escaping (IncomingMessage) -> Void) -> UInt32 {
    client.subscribe(subject) { [unowned self] message in
      deliveries += 1
      if fault == .losesDeliveries, deliveries == 7 { return }
      handler(message)
    }
  }

  func unsubscribe(_ number: UInt32) { client.unsubscribe(number) }
  func receive(within time: Duration) throws(ServerFailure) { try client.receive(within: time) }
}
