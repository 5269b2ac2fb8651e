import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.enabled(if: NATSServer.isInstalled, "nats-server is not installed")) struct `signalbox cluster test` {
  private func configuration(_ port: UInt16, replicas: Int = 1) throws -> TemporaryFile {
    try TemporaryFile(
      """
      signalbox: 1
      server:
        connections:
          fleet: {nats: ["nats://127.0.0.1:\(port)"]}
        cluster: {connection: fleet, node: attic, replicas: \(replicas)}
      graphs:
        g: {cluster: true, signals: {in: {input: {type: string}}}}
      """)
  }

  @Test func `reports the version, and each fact that holds`() throws {
    let server = try NATSServer()
    let file = try configuration(server.port)
    let result = try Client.run("cluster", "test", "--config", file.path)
    #expect(result.errors == "")
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("server 2."))
    #expect(lines.count { $0.hasPrefix("ok") } == 5)
  }

  @Test func `prints one line of JSON for programs`() throws {
    let server = try NATSServer()
    let file = try configuration(server.port)
    let result = try Client.run("cluster", "test", "-c", file.path, "--format", "json")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    let facts = try #require(object["facts"] as? [[String: Any]])
    #expect(facts.map { $0["fact"] as? String } == ["fence", "acknowledgement", "order", "purge", "size"])
    #expect(facts.allSatisfy { $0["holds"] as? Bool == true })
  }

  @Test func `fails where the servers cannot make the stream`() throws {
    let server = try NATSServer()
    let file = try configuration(server.port, replicas: 3)
    let result = try Client.run("cluster", "test", "-c", file.path)
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("signalbox: cannot create a stream with 3 replicas: "))
  }

  @Test func `names the address that nothing listens at`() throws {
    let file = try configuration(1)
    let result = try Client.run("cluster", "test", "-c", file.path)
    #expect(result.status == 69)
    #expect(result.errors.hasPrefix("signalbox: no connection to nats://127.0.0.1:1: "))
  }

  @Test(arguments: [SIGINT, SIGTERM]) func `leaves no stream behind when it is interrupted`(signal: Int32) throws {
    let server = try NATSServer()
    let file = try configuration(server.port)
    let client = try RunningClient("cluster", "test", "-c", file.path, socket: "/none")
    let end = ContinuousClock.now + .seconds(20)
    while server.streams.isEmpty, .now < end {}
    #expect(server.streams.count == 1)
    #expect(client.end(by: signal).signal == signal)
    #expect(server.streams == [])
  }

  @Test func `needs a cluster in the configuration`() throws {
    let file = try TemporaryFile("signalbox: 1\ngraphs: {}\n")
    let result = try Client.run("cluster", "test", "-c", file.path)
    #expect(result.status == 68)
    #expect(result.errors.contains("no cluster"))
  }
}
