import DiskFaults
import GraphEngine
import GraphModel
import GraphStories
import JSON
import Signals
import StateLog
import Testing

@testable import Persistence

/// Clients that wait for a failing disk.
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
      host = try DurableHost(yaml: yaml, microseconds: 0) {
        // Another process has another disk.
        if disk == nil { disk = FaultyDisk($0, fault) }
      }
      self.disk = try #require(disk)
    }
  }

  /// The second time the signal exists again; in between it is not durable, or does not exist.
  @Test(arguments: ["g: {signals: {in: {input: {}}}}", "g: {durable: true, signals: {other: {input: {}}}}"])
  func `a value that is emitted at a reload, and is not on disk, has no number of the folder`(meanwhile: String) throws
  {
    let rig = try Rig(.none)
    let host = rig.host
    host.send(.number(1), to: "g.in")
    host.settle()
    rig.disk.fill()
    host.send(.number(2), to: "g.in")
    host.turn()
    try host.reload(meanwhile, settling: false)
    #expect(host.told(of: "g.in") == ["g.in 1 1", "g.in 2 2"])
    try host.kill(then: "g: {durable: true, signals: {in: {input: {}, replay: 9}}}")
    host.send(.number(3), to: "g.in")
    host.settle()
    #expect(host.last["g.in in the folder"] == 2)
    #expect(host.last["g.in in process 1"] == 2)
    #expect(host.fallen.isEmpty)
  }

  /// Returns the number of operations before the first commit.
  private func beginning() throws -> Int {
    let rig = try Rig(.none)
    return rig.disk.operations
  }

  /// Fills the disk at each write during a call in turn.
  @Test(arguments: 1...8) func `a full disk delays a call, which is made as the same and reported once`(
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
    // No program runs without its cause on disk.
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

  private static let sources = """
    signalbox: 1
    graphs:
      g:
        durable: true
        signals:
          in: {input: {}}
          lines: {tail: {path: /d/*, glob: true}, pipe: [{map: .value}], replay: 9}
          seen: {watch: /w, pipe: [{map: '"\\(.event) \\(.path)"'}], replay: 9}
          held: {dbus: {name: org.a.B, path: /a, interface: org.a.I, properties: [P, Q]}, replay: 9}
          heard: {dbus: {name: org.a.B, path: /a, interface: org.a.I, signal: S}, replay: 9999}

    """

  @Test func `what sources tell while the disk is full, and will not tell again, is known once there is room`() throws {
    let rig = try Rig(.none, Self.sources)
    let (host, world) = (rig.host, rig.host.world)
    let (place, file) = (TailPlace(device: 1, inode: 1, offset: 0), FileNumbers(device: 1, inode: 1))
    world.tell(GlobEvent.looked)
    world.tell(FolderEvent.looked)
    world.played.tell(["P": 0, "Q": 0], of: "/a")
    host.settle()
    rig.disk.fill()
    host.send(1, to: "g.in")
    host.settle()
    #expect(host.present.failure != nil)
    world.tell(.began(place, path: "/d/a"), .tail(.appended(Array("ha".utf8)), of: file))
    world.tell(FolderEvent.created(FolderFile(path: "x", inode: 7, size: 1, modified: 1)))
    for number in 1...3 { world.played.tell(["P": .number(Double(number))], of: "/a") }
    world.played.tell(["Q": 4], of: "/a")
    for number in 1...1_200 { world.played.emit("S", .number(Double(number))) }
    world.tell(FolderEvent.removed(path: "x"))
    host.settle()
    rig.disk.mend()
    host.present.retry()
    host.waitForProgress()
    world.tell(.tail(.appended(Array("lf\n".utf8)), of: file))
    host.settle()
    #expect(host.told(of: "g.lines") == [#"g.lines 1 "half""#])
    #expect(host.told(of: "g.seen") == [#"g.seen 1 "created /w/x""#, #"g.seen 2 "removed /w/x""#])
    #expect(host.told(of: "g.held") == [#"g.held 1 {"P":0,"Q":0}"#, #"g.held 2 {"P":3,"Q":4}"#])
    // They have a bound, and the log says how many were past it.
    let heard = host.told(of: "g.heard")
    #expect(heard.count == 1_000 && heard.last?.hasPrefix("g.heard 1000 ") == true)
    #expect(host.logged.last?.contains("200 values") == true)
  }

  @Test(arguments: [1, 2]) func `a disk that fails leaves no caller waiting for an answer`(operation: Int) throws {
    let rig = try Rig(.failing(at: try beginning() + operation))
    let host = rig.host
    host.send(.number(1), to: "g.in", message: "one")
    host.turn()
    host.send(.number(2), to: "g.in", message: "two")
    var others: [String] = []
    host.present.answerAfterCommits { others.append($0 == nil ? "told" : "failed") }
    host.settle()
    #expect(rig.disk.hasHappened)
    #expect(host.answers == ["one unknown", "two unknown"])
    #expect(others == ["failed"])
    // From now on it is known.
    host.send(.number(3), to: "g.in", message: "three")
    host.present.answerAfterCommits { others.append($0 == nil ? "told" : "failed") }
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

  @Test func `what other graphs hold, what has subscribers and what restarts is known once a full disk has room`()
    throws
  {
    let yaml = """
      signalbox: 1
      graphs:
        o:
          signals:
            held: {property: {initial: 1}}
            end: {input: {endable: true}}
            again: {input: {endable: true}}
        g:
          durable: true
          signals:
            in: {input: {}}
            lazy: {from: in, lazy: true}
            heard: {from: o.held, replay: 9}
            over: {from: o.end}
            more: {from: o.again}

      """
    let rig = try Rig(.none, yaml)
    let host = rig.host
    host.end("o.again", with: .completed)
    host.settle()
    #expect(host.main.signal(named: "g.more")?.ending == .completed)
    rig.disk.fill()
    host.send(.number(1), to: "g.in")
    host.settle()
    #expect(host.present.failure != nil)
    host.attach(to: "g.lazy")
    host.send(.number(2), to: "o.held")
    host.send(.number(3), to: "o.held")
    host.end("o.end", with: .completed)
    host.restart("o.again")
    host.settle()
    rig.disk.mend()
    host.present.retry()
    host.waitForProgress()
    host.settle()
    host.send(.number(4), to: "g.in")
    host.send(.number(5), to: "o.again")
    host.settle()
    #expect(host.told(of: "g.lazy") == ["g.lazy 1 4"])
    #expect(host.told(of: "g.heard") == ["g.heard 1 1", "g.heard 2 3"])
    #expect(host.told(of: "g.over") == ["g.over completed"])
    #expect(host.told(of: "g.more") == ["g.more completed", "g.more 1 5"])
    #expect(host.logged.last?.contains("1 values") == true)
    host.detach(from: "g.lazy")
    host.send(.number(6), to: "g.in")
    host.settle()
    #expect(host.told(of: "g.lazy") == ["g.lazy 1 4"])
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

  @Test(arguments: [1, 2, 3], [false, true])
  func `a full disk has clients wait only for a while, and what they sent is taken once`(
    operation: Int, isKilled: Bool
  ) throws {
    let rig = try Rig(.full(at: try beginning() + operation))
    let host = rig.host
    for number in 1...9 where !rig.disk.hasHappened {
      host.send(.number(Double(number)), to: "g.in", message: "\(number)")
      host.settle()
    }
    let last = host.answers.count + 1
    #expect(host.present.failure?.kind == .full && host.told.count == last - 1)
    var others: [String] = []
    host.present.answerAfterCommits { others.append($0 == nil ? "told" : "failed") }
    #expect(others.isEmpty)
    host.present.endWait()
    // Later effects do not wait either, and all refused ones are known.
    host.present.answerAfterCommits { others.append($0 == nil ? "told" : "failed") }
    host.send(.number(10), to: "g.in", message: "ten")
    #expect(Array(host.answers.dropFirst(last - 1)) == ["\(last) unknown", "ten refused"])
    #expect(others == ["failed", "failed"] && host.told.count == last - 1)
    rig.disk.mend()
    if isKilled {
      try host.kill()
    } else {
      host.present.retry()
      host.waitForProgress()
    }
    for (number, message) in [(last, "\(last)"), (10, "ten")] {
      host.send(.number(Double(number)), to: "g.in", message: message)
      host.settle()
    }
    #expect(host.told == (1...last).map { "g.in \($0) \($0)" } + ["g.in \(last + 1) 10"])
    #expect(host.answers.last == "ten \(last + 1)")
    host.present.answerAfterCommits { others.append($0 == nil ? "told" : "failed") }
    host.settle()
    #expect(others.last == "told")
  }
}
