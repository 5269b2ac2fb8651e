import Foundation
import JSON
import TestSupport
import Testing

/// A daemon whose folder was damaged, or restored from a copy.
@Suite struct DamagedStateTests {
  private static let graphs = """
    graphs:
      meter:
        durable: true
        signals:
          pulse: {input: {}}
          total: {from: pulse, pipe: [{scan: {initial: 0, next: "$state + ."}}], hold: true}

    """

  @Test func `a damaged log is reported, keeps the graphs from running, and is repaired in a new epoch`() throws {
    let plant = try Plant(Self.graphs)
    defer { plant.end() }
    for value in ["3", "4", "5", "6"] { try plant.send("meter.pulse", value) }
    let before = try plant.object("state", "--json", "--state", plant.state)
    plant.daemon.kill()
    let log = URL(fileURLWithPath: "\(plant.state)/state.sqlite-wal")
    var bytes = try Data(contentsOf: log)
    // A bit of the frame with the third value: the fourth would be lost with it.
    bytes[bytes.count - 4120 * 3 / 2] ^= 1
    try bytes.write(to: log)
    try plant.daemon.start()
    #expect(try plant.run("get", "meter.total").output == "")
    let refused = try plant.run("send", "meter.pulse", "7")
    #expect(refused.status != 0 && refused.errors.contains("is damaged: commit"))
    #expect(refused.errors.contains("; the last one written was commit"))
    plant.daemon.kill()
    let repaired = try plant.run("state", "repair", "--state", plant.state)
    #expect(repaired.status == 0 && repaired.output.contains("lost the later part: "))
    #expect(repaired.output.contains("with an unknown number of values"))
    #expect(try plant.object("state", "--json", "--state", plant.state)["epoch"] != before["epoch"])
    #expect(FileManager.default.fileExists(atPath: "\(plant.state)/state.sqlite.damaged-mark"))
    try plant.daemon.start()
    #expect(try ["7\n", "12\n"].contains(plant.run("get", "meter.total").output))
    try plant.send("meter.pulse", "1")
  }

  @Test func `a folder whose mark is missing is repaired in a new epoch, since more may be`() throws {
    let plant = try Plant(Self.graphs)
    defer { plant.end() }
    try plant.send("meter.pulse", "3", "4")
    let before = try plant.object("state", "--json", "--state", plant.state)
    plant.daemon.kill()
    try FileManager.default.removeItem(atPath: "\(plant.state)/state.sqlite-mark")
    #expect(
      try plant.run("state", "--state", plant.state).errors.contains("state.sqlite-mark is missing: cannot verify"))
    let repaired = try plant.run("state", "repair", "--state", plant.state)
    #expect(repaired.output.contains("may have lost an unknown number of later commits"))
    #expect(try plant.object("state", "--json", "--state", plant.state)["epoch"] != before["epoch"])
    try plant.daemon.start()
    #expect(try plant.run("get", "meter.total").output == "7\n")
  }

  @Test func `a folder that is put back begins a new epoch, which the daemon reports`() throws {
    let plant = try Plant(Self.graphs)
    defer { plant.end() }
    try plant.send("meter.pulse", "3")
    let before = try plant.object("state", "--json", "--state", plant.state)
    plant.daemon.kill()
    try FileManager.default.moveItem(atPath: plant.state, toPath: plant.state + ".old")
    try FileManager.default.copyItem(atPath: plant.state + ".old", toPath: plant.state)
    try plant.daemon.start()
    #expect(try plant.run("get", "meter.total").output == "3\n")
    let after = try plant.object("state", "--json", "--state", plant.state)
    #expect(after["epoch"] != before["epoch"])
    plant.daemon.kill()
    try plant.daemon.start()
    #expect(try plant.object("state", "--json", "--state", plant.state)["epoch"] == after["epoch"])
  }
}
