import Foundation
import Glibc
import TestSupport
import Testing

/// The commands that replace the log of a clustered graph.
@Suite(.enabled(if: NATSServer.isInstalled, "nats-server is not installed")) struct `The state of a clustered graph` {
  private func clustered(_ plant: Plant, _ server: NATSServer) -> String {
    let settings = """
      signalbox: 1
      server:
        state: "\(plant.state)"
        connections: {fleet: {nats: ["nats://127.0.0.1:\(server.port)"]}}
        cluster: {connection: fleet, node: attic}

      """
    return settings
      + StateTests.graphs.replacing("meter:\n    durable: true", with: "meter:\n    cluster: true")
  }

  /// Follows the total, which is unavailable until the log was read, until it has a value.
  private func expect(_ total: Int, in plant: Plant) throws {
    let arguments = ["--follow", "--take", "1", "--where", ". == \(total)", "meter.total"]
    let result = try Client.run(["subscribe"] + arguments, socket: plant.daemon.socket)
    #expect(result.status == 0 && result.output.contains("\(total)"), "\(result.errors)")
  }

  /// Publishes something that is no record to the log.
  private func damage(_ server: NATSServer) throws {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = server.port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    #expect(result == 0)
    let lines = Array("CONNECT {}\r\nSUB _INBOX.x 1\r\nPUB signalbox.log.meter.0.commit _INBOX.x 3\r\nxyz\r\n".utf8)
    #expect(write(number, lines, lines.count) == lines.count)
    var text = ""
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while !text.contains("\"seq\"") {
      let count = read(number, &bytes, bytes.count)
      if count <= 0 { break }
      text += String(decoding: bytes[..<count], as: UTF8.self)
    }
  }

  @Test func `comes from a folder, and is repaired up to its last intact commit`() throws {
    let server = try NATSServer()
    let plant = try Plant(StateTests.graphs)
    defer { plant.end() }
    try plant.send("meter.pulse", "3", "4")
    try plant.send("home.temp", "21")
    plant.daemon.kill()
    try plant.daemon.write(clustered(plant, server))
    let file = plant.daemon.configuration
    let forecast = try Client.run("state", "import", "--cluster", "meter", "-n", "--state", plant.state, "-c", file)
    #expect(
      forecast.output == "would import meter with 2 signals from \(plant.state) into the cluster\n", "\(forecast)")
    let imported = try Client.run("state", "import", "--cluster", "meter", "--state", plant.state, "-c", file)
    #expect(imported.errors == "")
    #expect(imported.output == "imported meter with 2 signals from \(plant.state) into the cluster\n")
    let again = try Client.run("state", "import", "--cluster", "meter", "--state", plant.state, "-c", file)
    #expect(again.status == 1)
    let late = try Client.run("state", "import", "--cluster", "meter", "-n", "--state", plant.state, "-c", file)
    #expect(late.errors.contains("has begun"), "\(late)")
    #expect(again.errors.contains("the log of graph \"meter\" has begun"))
    #expect(try Client.run("state", "repair", "--cluster", "meter", "-c", file).output == "no damage found\n")

    try plant.daemon.start()
    try expect(7, in: plant)
    #expect(try plant.run("get", "home.warm").output == "21\n")
    try plant.send("meter.pulse", "5")
    let busy = try Client.run("state", "repair", "--cluster", "meter", "-c", file)
    #expect(busy.status == 1)
    #expect(busy.errors.contains("stop attic first"))

    plant.daemon.kill()
    try damage(server)
    let repaired = try Client.run("state", "repair", "--cluster", "meter", "-c", file)
    #expect(repaired.errors == "")
    #expect(repaired.output.contains("lost 1 record behind it"))
    try plant.daemon.start()
    try expect(12, in: plant)
    try plant.send("meter.pulse", "1")
    try expect(13, in: plant)
  }

  @Test func `is read again by a running daemon once it has been repaired`() throws {
    let server = try NATSServer()
    let plant = try Plant(StateTests.graphs)
    defer { plant.end() }
    plant.daemon.kill()
    try plant.daemon.write(clustered(plant, server))
    try plant.daemon.start()
    try plant.send("meter.pulse", "0")
    try plant.send("meter.pulse", "3", "4")
    try expect(7, in: plant)
    try damage(server)
    // The owner finds the record that is none of its in the place of its next one.
    #expect(try plant.run("send", "meter.pulse", "5").status != 0)
    let cluster = try plant.run("cluster").output
    #expect(cluster.contains("stopped") && cluster.contains("damage at sequence 6 of the log"), "\(cluster)")
    let file = plant.daemon.configuration
    let forecast = try Client.run("state", "repair", "--cluster", "meter", "--dry-run", "-c", file)
    #expect(forecast.output.contains("would lose 1 record behind it"), "\(forecast)")
    let repaired = try Client.run("state", "repair", "--cluster", "meter", "-c", file)
    #expect(repaired.errors == "")
    #expect(repaired.output.contains("lost 1 record behind it"))
    let reliable = try plant.run("send", "--reliable", "meter.pulse", "1")
    #expect(reliable.status == 0, "\(reliable.errors)")
    try expect(8, in: plant)
  }

  @Test(arguments: [[], ["--dry-run"]])
  func `is not repaired where the servers have no log, and no log is begun by that`(options: [String]) throws {
    let server = try NATSServer()
    let plant = try Plant(StateTests.graphs)
    defer { plant.end() }
    plant.daemon.kill()
    try plant.daemon.write(clustered(plant, server))
    let command = ["state", "repair", "--cluster", "meter", "-c", plant.daemon.configuration]
    let result = try Client.run(command + options)
    #expect(result.status == 1)
    #expect(
      result.errors.contains("the servers have no log of graph \"meter\", so there is nothing to repair"), "\(result)")
    #expect(server.streams.isEmpty)
  }

  @Test(arguments: [
    (["state"], "`signalbox cluster` shows its log, and `state repair --cluster GRAPH --dry-run` checks it"),
    (["state", "export"], "a clustered graph needs no export: its log is on the servers"),
    (["state", "reset", "g"], "the log of a clustered graph can be repaired and imported, not reset"),
  ])
  func `refuses what is for the folder, and names what to use`(command: [String], hint: String) throws {
    let result = try Client.run(command + ["--cluster", "g"])
    #expect(result.status == 64)
    #expect(result.errors.contains(hint), "\(result.errors)")
  }
}
