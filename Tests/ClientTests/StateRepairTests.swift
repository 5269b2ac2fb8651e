import Foundation
import JSON
import TestSupport
import Testing

/// The repair of a folder of durable graphs, from damage to its database.
@Suite struct StateRepairTests {
  /// Damages the entries of a commit, or the state of the newest snapshot.
  private static func damage(_ state: String, _ change: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [
      "-c", "import sqlite3, sys; base = sqlite3.connect(sys.argv[1]); base.execute(sys.argv[2]); base.commit()",
      "\(state)/state.sqlite", change,
    ]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  @Test func `a repair keeps what is sound, reports what is lost, and begins a new epoch`() throws {
    let plant = try Plant(StateTests.graphs)
    defer { plant.end() }
    try plant.send("meter.pulse", "3", "4", "54321")
    let before = try plant.object("state", "--json", "--state", plant.state)
    let running = try plant.run("state", "repair", "--state", plant.state)
    #expect(running.status == 75)
    plant.daemon.kill()
    #expect(try plant.run("state", "repair", "--state", plant.state).output == "no damage found\n")
    try Self.damage(
      plant.state, "UPDATE commits SET hash = hash + 1 WHERE instr(entries, CAST('54321' AS BLOB)) > 0")
    let damaged = try plant.run("state", "--state", plant.state)
    try #require(damaged.status == 65 && damaged.errors.contains("is damaged: checksum mismatch in commit"))
    let dry = try plant.run("state", "repair", "--dry-run", "--state", plant.state)
    let repaired = try plant.run("state", "repair", "--state", plant.state)
    #expect(repaired.status == 0 && !repaired.output.contains("restore a copy"))
    let words = repaired.output.replacingOccurrences(of: "keeps", with: "would keep")
      .replacingOccurrences(of: "\nlost the later part", with: "\nwould lose the later part")
    #expect(words.hasPrefix(dry.output) && dry.output.contains("would lose the later part: "))
    #expect(repaired.output.contains("the damaged database was moved to \(plant.state)/state.sqlite.damaged"))
    #expect(try plant.object("state", "--json", "--state", plant.state)["epoch"] != before["epoch"])
    try plant.daemon.start()
    #expect(try plant.run("get", "meter.total").output == "7\n")
  }

  @Test func `a reset repairs a damaged folder first, unless the graph has no state there`() throws {
    let plant = try Plant(StateTests.graphs)
    defer { plant.end() }
    try plant.send("meter.pulse", "3", "4", "54321")
    plant.daemon.kill()
    try Self.damage(
      plant.state, "UPDATE commits SET hash = hash + 1 WHERE instr(entries, CAST('54321' AS BLOB)) > 0")
    let unknown = try plant.run("state", "reset", "metre", "--state", plant.state)
    #expect(unknown.status != 0 && unknown.errors.contains("did you mean meter?"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: plant.state).allSatisfy { !$0.contains("damaged") })
    let dry = try plant.run("state", "reset", "meter", "--dry-run", "--state", plant.state)
    #expect(dry.status == 0 && dry.output.contains("would lose the later part: "))
    #expect(dry.output.contains("meter.total would be reset"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: plant.state).allSatisfy { !$0.contains("damaged") })
    let reset = try plant.run("state", "reset", "meter", "--state", plant.state)
    #expect(reset.status == 0 && reset.output.contains("lost the later part: "))
    #expect(reset.output.contains("the damaged database was moved to \(plant.state)/state.sqlite.damaged"))
    #expect(reset.output.contains("meter.total was reset"))
    try plant.daemon.start()
    try plant.send("meter.pulse", "5")
    #expect(try plant.run("get", "meter.total").output == "5\n")
  }

  @Test func `an empty database is damage, and reading it leaves its log alone`() throws {
    let plant = try Plant(StateTests.graphs)
    defer { plant.end() }
    try plant.send("meter.pulse", "3")
    plant.daemon.kill()
    let log = try Data(contentsOf: URL(fileURLWithPath: "\(plant.state)/state.sqlite-wal"))
    try #require(!log.isEmpty)
    try Data().write(to: URL(fileURLWithPath: "\(plant.state)/state.sqlite"))
    let refusals = [
      try plant.run("state", "--state", plant.state),
      try plant.run("state", "repair", "--dry-run", "--state", plant.state),
      try plant.run("state", "reset", "meter", "--dry-run", "--state", plant.state),
    ]
    for refused in refusals { #expect(refused.status == 65 && refused.errors.contains("is damaged: it is empty")) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(plant.state)/state.sqlite-wal")) == log)
  }

  @Test func `what no sound snapshot leads to is not repaired`() throws {
    let plant = try Plant(StateTests.graphs)
    defer { plant.end() }
    try plant.send("meter.pulse", "3")
    plant.daemon.kill()
    try Self.damage(plant.state, "UPDATE snapshots SET hash = hash + 1")
    let repaired = try plant.run("state", "repair", "--state", plant.state)
    #expect(repaired.status == 65 && repaired.errors.contains("snapshot"))
    #expect(repaired.errors.contains("no intact part") && !repaired.errors.contains("state repair"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: plant.state).allSatisfy { !$0.contains("damaged") })
  }
}
