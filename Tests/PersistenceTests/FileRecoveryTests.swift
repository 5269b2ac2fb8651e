import GraphEngine
import GraphModel
import JSON
import Testing

@testable import Persistence

/// Files and programs of durable graphs that are killed.
@Suite struct FileRecoveryTests {
  enum Departure: CaseIterable {
    case kill, stop, handover, snapshotAndKill

    func end(_ host: DurableHost) throws {
      switch self {
      case .kill: try host.kill()
      case .stop: try host.stop()
      case .handover: try host.handOver()
      case .snapshotAndKill:
        host.present.takeSnapshot()
        try host.killOnceWritten()
      }
    }
  }

  private static let linesAndOutputs = """
    g:
      durable: true
      signals:
        lines: {tail: /log, replay: 10}
        run: {exec: [p], replay: 10}
    """

  @Test func `a file is written once its value is on disk, and again where that is not known`() throws {
    let host = try DurableHost(
      """
      g:
        durable: true
        signals: {f: {file: {path: /f, write: true, format: json}}}
      """)
    host.send(.number(1), to: "g.f")
    #expect(host.world.written.isEmpty)
    host.settle()
    #expect(host.world.written == ["/f 1\\n"] || host.world.written == ["/f 1\n"] || host.world.written == ["/f 1"])
    host.send(.number(2), to: "g.f")
    host.turn()
    try host.killOnceWritten()
    #expect(host.world.written.last?.hasPrefix("/f 2") == true)
  }

  @Test(arguments: Departure.allCases)
  func `a file that was written is not written again over what others have written since`(departure: Departure) throws {
    let host = try DurableHost(
      """
      g:
        durable: true
        signals:
          f: {file: {path: /f, write: true}}
          d: {file: {folder: /d, name: '"n"', write: true, format: json}}
      """)
    host.send("a", to: "g.f")
    host.send(.number(1), to: "g.d")
    host.settle()
    #expect(host.world.written == ["/f a", "/d/n 1\n"])
    host.world.change("/f", to: "edited")
    host.settle()
    try departure.end(host)
    host.settle()
    #expect(host.world.written == ["/f a", "/d/n 1\n"])
    #expect(host.told(of: "g.f") == [#"g.f 1 "a""#, #"g.f 2 "edited""#])
    // The next value is written as ever.
    host.send("b", to: "g.f")
    host.settle()
    #expect(host.world.written.last == "/f b")
  }

  @Test(arguments: [false, true])
  func `a file whose last content was on its way is written again`(hasSnapshot: Bool) throws {
    let host = try DurableHost("g: {durable: true, signals: {f: {file: {path: /f, write: true}}}}")
    host.send("a", to: "g.f")
    host.turn()
    host.waitUntilWritten()
    // The completion of the first content is recorded behind the second one.
    host.send("b", to: "g.f")
    host.present.releaseCommitted()
    #expect(host.world.written == ["/f a"])
    host.turn()
    host.waitUntilWritten()
    if hasSnapshot { host.present.takeSnapshot() }
    try host.killOnceWritten()
    host.settle()
    #expect(host.world.written == ["/f a", "/f b"])
    try host.kill()
    host.settle()
    #expect(host.world.written == ["/f a", "/f b"])
  }

  @Test func `a file that is behind its signal's values, since they wait for the disk, tells none of them again`()
    throws
  {
    let host = try DurableHost("g: {durable: true, signals: {f: {file: {path: /f, write: true}, replay: 9}}}")
    host.send("a", to: "g.f")
    host.settle()
    host.send("b", to: "g.f")
    host.send("c", to: "g.f")
    host.world.change("/f", to: "a")
    host.settle()
    host.world.change("/f", to: "c")
    host.settle()
    #expect(host.told == [#"g.f 1 "a""#, #"g.f 2 "b""#, #"g.f 3 "c""#])
    // The same applies to a file that is written again after a kill.
    host.send("d", to: "g.f")
    host.turn()
    try host.killOnceWritten()
    #expect(host.world.written.last == "/f d")
    host.world.change("/f", to: "d")
    // Others write older contents, too.
    host.world.change("/f", to: "c")
    host.settle()
    #expect(host.told.suffix(2) == [#"g.f 4 "d""#, #"g.f 5 "c""#] && host.told.count == 5)
  }

  @Test func `lines and outputs are input, and programs restart`() throws {
    let host = try DurableHost(Self.linesAndOutputs)
    host.world.append("a\nb", to: "/log")
    host.world.say("1\n2")
    host.settle()
    try host.kill()
    #expect(host.world.running == ["p"])
    host.world.append("c\n", to: "/log")
    host.world.say("3\n")
    host.settle()
    #expect(host.told(of: "g.lines") == ["g.lines 1 \"a\"", "g.lines 2 \"bc\""])
    #expect(host.told(of: "g.run") == ["g.run 1 \"1\"", "g.run 2 \"3\""])
  }

  @Test func `a line that stands half in a snapshot is whole after it`() throws {
    let host = try DurableHost(Self.linesAndOutputs)
    host.world.append("a", to: "/log")
    host.world.say("1")
    host.settle()
    host.present.takeSnapshot()
    host.world.append("b\n", to: "/log")
    host.world.say("2\n")
    host.settle()
    try host.kill()
    #expect(host.told(of: "g.lines") == ["g.lines 1 \"ab\""])
    #expect(host.told(of: "g.run") == ["g.run 1 \"12\""])
  }

  @Test(arguments: [false, true])
  func `lines that a record holds back are not lost in a kill, though the place is behind them`(
    hasSnapshot: Bool
  ) throws {
    let host = try DurableHost(
      """
      g:
        durable: true
        signals: {lines: {tail: {path: /log, format: csv, from: start, multiline: {begins: 'test("^[a-z0-9]")'}}, replay: 9}}
      """)
    let place = TailPlace(device: 1, inode: 2, offset: 30)
    host.world.append("a\n1\n", to: "/log")
    host.world.append("2\n - more\n -", to: "/log", reaching: place)
    host.settle()
    if hasSnapshot { host.present.takeSnapshot() }
    try host.kill()
    #expect(host.world.tailed == [.beginning, .place(place)])
    host.world.append(" and more\n3\n", to: "/log")
    host.settle()
    #expect(
      host.told(of: "g.lines") == [#"g.lines 1 {"a":"1"}"#, #"g.lines 2 {"a":"2\n - more\n - and more"}"#])
  }

  @Test func `another run of a program begins another record, and names its columns again`() throws {
    let host = try DurableHost(
      """
      g:
        durable: true
        signals: {run: {exec: [p], format: csv, multiline: {begins: 'test("^[a-z]")', wait: 1h}, replay: 9}}
      """)
    host.world.say("a\nx\n - 1\n")
    host.settle()
    host.present.takeSnapshot()
    try host.kill()
    host.world.say("b\ny\nz\n")
    host.settle()
    #expect(host.told(of: "g.run") == [#"g.run 1 {"a":"x\n - 1"}"#, #"g.run 2 {"b":"y"}"#])
  }

  @Test func `a file is followed from the place up to which it was read`() throws {
    let host = try DurableHost("g: {durable: true, signals: {lines: {tail: /log, replay: 10}}}")
    let place = TailPlace(device: 1, inode: 2, offset: 30)
    host.world.append("a\n", to: "/log", reaching: place)
    host.settle()
    try host.kill()
    #expect(host.world.tailed == [.end, .place(place)])
  }

  @Test func `a file that changed while no process ran is read at the start`() throws {
    let host = try DurableHost(
      """
      g:
        durable: true
        signals: {f: {file: {path: /f}, replay: 10}}
      """)
    host.world.change("/f", to: "one")
    host.settle()
    try host.kill()
    host.world.files["/f"] = Array("two".utf8)
    try host.kill()
    #expect(host.told(of: "g.f") == ["g.f 1 \"one\"", "g.f 2 \"two\""])
  }
}
