import DiskFaults
import JSON
import SignalGraph
import Testing

@testable import Persistence

/// Those who wait for a disk that fails.
@Suite struct FailedDiskTests {
  private static let yaml = """
    signalbox: 1
    graphs:
      g: {durable: true, signals: {in: {input: {}, replay: 9}}}

    """

  private static let calling = """
    signalbox: 1
    graphs:
      g:
        durable: true
        signals: {in: {input: {}}, told: {from: in, pipe: [{call: act}], replay: 9}}
        actions: {act: {exec: [act]}}

    """

  private struct Rig {
    let host: DurableHost
    let disk: FaultyDisk

    init(_ fault: FaultyDisk.Fault, _ yaml: String = FailedDiskTests.yaml) throws {
      var disk: FaultyDisk?
      host = try DurableHost(yaml: yaml, microseconds: 0) { disk = FaultyDisk($0, fault) }
      self.disk = try #require(disk)
    }
  }

  /// The operations before the first commit.
  private func beginning() throws -> Int {
    let rig = try Rig(.none)
    return rig.disk.operations
  }

  /// Each write of the disk while a call comes and goes is the one at which it is full.
  @Test(arguments: 1...8) func `a full disk holds up a call, which is made as the same and told once`(
    operation: Int
  ) throws {
    let beginning = try Rig(.none, Self.calling).disk.operations
    let rig = try Rig(.full(at: beginning + operation), Self.calling)
    let (host, world) = (rig.host, rig.host.world)
    func settle() {
      host.settle()
      guard rig.disk.hasHappened else { return }
      rig.disk.mend()
      host.present.retry()
      host.waitForProgress()
      host.settle()
    }
    host.send(.number(1), to: "g.in", message: "one")
    host.settle()
    // Nothing runs whose cause is not on the disk.
    #expect(world.running.isEmpty == host.answers.isEmpty)
    settle()
    #expect(host.answers == ["one 1"] && world.running == ["act"])
    let given = world.given
    world.say("done\n")
    world.exit(0)
    host.settle()
    settle()
    #expect(host.told(of: "g.told") == [#"g.told 1 "done""#])
    #expect(world.running.isEmpty)
    try host.kill()
    #expect(world.running.isEmpty && given.count == 1)
    #expect(host.told(of: "g.told") == [#"g.told 1 "done""#])
  }

  @Test(arguments: 1...4)
  func `a program that ends and a file that changes while the disk is full are known once there is room`(
    operation: Int
  ) throws {
    let yaml = """
      signalbox: 1
      graphs:
        g:
          durable: true
          signals:
            in: {input: {}, replay: 9}
            run: {exec: [act], replay: 9}
            file: {file: {path: /f}, replay: 9}

      """
    let rig = try Rig(.full(at: try Rig(.none, yaml).disk.operations + operation), yaml)
    let host = rig.host
    for number in 1...9 where !rig.disk.hasHappened {
      host.send(.number(Double(number)), to: "g.in")
      host.settle()
    }
    #expect(rig.disk.hasHappened)
    host.world.change("/f", to: "1")
    host.world.exit(0)
    host.world.change("/f", to: "2")
    rig.disk.mend()
    host.present.retry()
    host.waitForProgress()
    host.settle()
    #expect(host.told(of: "g.run") == ["g.run completed"])
    #expect(host.told(of: "g.file") == [#"g.file 1 "2""#])
    try host.kill()
    #expect(host.main.signal(named: "g.run")?.ending == .completed)
  }

  @Test(arguments: [1, 2]) func `a disk that fails leaves nobody waiting for an answer`(operation: Int) throws {
    let rig = try Rig(.failing(at: try beginning() + operation))
    let host = rig.host
    host.send(.number(1), to: "g.in", message: "one")
    host.turn()
    host.send(.number(2), to: "g.in", message: "two")
    var others: [String] = []
    host.present.tellInTurn { others.append($0 == nil ? "told" : "failed") }
    host.settle()
    #expect(rig.disk.hasHappened)
    #expect(host.answers == ["one unknown", "two unknown"])
    #expect(others == ["failed"])
    // From now on it is known.
    host.send(.number(3), to: "g.in", message: "three")
    host.present.tellInTurn { others.append($0 == nil ? "told" : "failed") }
    #expect(host.answers.last == "three refused" && others == ["failed", "failed"])
    #expect(host.told.isEmpty && !host.present.isBehind)
    try host.kill()
    let before = host.told.count
    for (number, message) in ["one", "two"].enumerated() {
      host.send(.number(Double(number + 1)), to: "g.in", message: message)
    }
    host.settle()
    #expect(host.told == ["g.in 1 1", "g.in 2 2"])
    #expect(host.answers.suffix(2) == (before > 0 ? ["one 1 again", "two 2"] : ["one 1", "two 2"]))
  }

  @Test func `a full disk has those wait whose values were taken, until there is room or the end`() throws {
    let rig = try Rig(.full(at: try beginning() + 1))
    let host = rig.host
    host.send(.number(1), to: "g.in", message: "one")
    host.settle()
    host.send(.number(2), to: "g.in", message: "two")
    #expect(host.answers == ["two refused"])
    rig.disk.mend()
    host.present.retry()
    host.waitForProgress()
    #expect(host.answers == ["two refused", "one 1"])
  }
}
