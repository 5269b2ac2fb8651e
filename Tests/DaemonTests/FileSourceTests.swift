import Glibc
import GraphEngine
import JSON
import Linux
import TestSupport
import Testing

@testable import Daemon

@Suite struct `Files that graphs follow` {
  private let folder = TemporaryFolder()

  private func start(_ signals: String) throws -> TestDaemon {
    try HostKind.inProcess.start("g: {signals: {\(signals)}}")
  }

  private func append(_ text: String, to name: String) throws {
    let number = open(folder(name), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    let file = OwnedDescriptor(owning: number)
    try file.transfer.writeAll(text)
  }

  /// Waits until a signal has emitted exactly these values, as JSON.
  private func expect(_ values: [String], of signal: String, in daemon: TestDaemon) throws {
    let host = try #require(daemon.host as? LoopHost)
    let signal = try #require(host.daemon.hub.runtime.signal(named: signal))
    try daemon.iteration { signal.sequence >= UInt64(values.count) }
    #expect(signal.retained.latest(100).map { $0.payload.value.description } == values)
  }

  @Test func `a file is followed through every way of changing it`() throws {
    let daemon = try start("f: {file: \(folder("f")), replay: 20}")
    try folder.write("1", to: "f")
    try expect([#""1""#], of: "g.f", in: daemon)
    // Atomically, as editors and this daemon do.
    try folder.write("2", to: "f")
    try expect([#""1""#, #""2""#], of: "g.f", in: daemon)
    // In place, as a shell's > does.
    try truncate(folder("f"), writing: "3")
    try expect([#""1""#, #""2""#, #""3""#], of: "g.f", in: daemon)
    try append("4", to: "f")
    try expect([#""1""#, #""2""#, #""3""#, #""34""#], of: "g.f", in: daemon)
    unlink(folder("f"))
    try daemon.host.iteration()
    try append("5", to: "f")
    try expect([#""1""#, #""2""#, #""3""#, #""34""#, #""5""#], of: "g.f", in: daemon)
    rename(folder("f"), folder("g"))
    try daemon.host.iteration()
    try folder.write("6", to: "h")
    rename(folder("h"), folder("f"))
    try expect([#""1""#, #""2""#, #""3""#, #""34""#, #""5""#, #""6""#], of: "g.f", in: daemon)
  }

  private func truncate(_ path: String, writing text: String) throws {
    let file = OwnedDescriptor(owning: open(path, O_WRONLY | O_TRUNC | O_CLOEXEC))
    try file.transfer.writeAll(text)
  }

  @Test func `a file may come with its folder, and through a link that is turned`() throws {
    let deep = folder("a") + "/b/f"
    let daemon = try start("f: {file: \(deep), replay: 9}, l: {file: \(folder("link")), replay: 9}")
    mkdir(folder("a"), 0o700)
    mkdir(folder("a") + "/b", 0o700)
    try RegularFile.write(Array("deep".utf8), to: deep)
    try expect([#""deep""#], of: "g.f", in: daemon)
    try folder.write("1", to: "one")
    try folder.write("2", to: "two")
    symlink("one", folder("link"))
    try expect([#""1""#], of: "g.l", in: daemon)
    symlink("two", folder("link.new"))
    rename(folder("link.new"), folder("link"))
    try expect([#""1""#, #""2""#], of: "g.l", in: daemon)
    try folder.write("3", to: "two")
    unlink(deep)
    rmdir(folder("a") + "/b")
    rmdir(folder("a"))
  }

  @Test func `files that are waited for come once, whatever a reload made of the signals that wait`() throws {
    let path = folder("d")
    func graph(_ every: String) -> String {
      "g: {signals: {a: {file: \(path)/a, replay: 9}, b: {tail: \(path)/b, replay: 9}, "
        + "c: {file: \(path)/a\(every), replay: 9}, d: {tail: \(path)/b, replay: \(every.isEmpty ? 8 : 9)}}}"
    }
    let daemon = try HostKind.inProcess.start(graph(""))
    let client = try daemon.connect()
    for every in [", format: text", "", ", format: text"] {
      try daemon.folder.writeConfiguration(graph(every))
      #expect(try client.ask("reload").contains(#""kept":["g.a","g.b"]"#))
    }
    mkdir(path, 0o700)
    try daemon.host.iteration()
    try RegularFile.write(Array("1".utf8), to: path + "/a")
    try RegularFile.write(Array("2\n".utf8), to: path + "/b")
    for name in ["a", "c"] { try expect([#""1""#], of: "g.\(name)", in: daemon) }
    for name in ["b", "d"] { try expect([#""2""#], of: "g.\(name)", in: daemon) }
    try daemon.folder.writeConfiguration("g: {signals: {a: {input: {}}}}")
    _ = try client.ask("reload")
    #expect(try #require(daemon.host as? LoopHost).daemon.hub.runtime.nextDeadline == nil)
  }

  @Test func `files of one folder are followed through each time that it is removed and made again`() throws {
    let path = folder("d")
    let daemon = try start("a: {file: \(path)/a, replay: 9}, b: {tail: \(path)/b, replay: 9}")
    var seen: [String] = []
    for round in 1...3 {
      mkdir(path, 0o700)
      try daemon.host.iteration()
      try RegularFile.write(Array("\(round)".utf8), to: path + "/a")
      try RegularFile.write(Array("\(round)\n".utf8), to: path + "/b")
      seen.append(#""\#(round)""#)
      try expect(seen, of: "g.a", in: daemon)
      try expect(seen, of: "g.b", in: daemon)
      for name in ["/a", "/b"] { unlink(path + name) }
      rmdir(path)
      try daemon.host.iteration()
    }
  }

  @Test func `sending writes the file in one step, and the sender receives the number`() throws {
    let daemon = try start(
      "f: {file: {path: \(folder("f")), format: json, write: true}}, n: {file: {path: /proc/x, write: true}}")
    let client = try daemon.connect()
    #expect(
      try client.ask(#"{"op":"send","id":1,"signal":"g.f","value":{"v":1.50}}"#)
        == #"{"reply":"send","id":1,"signal":"g.f","seq":1}"#)
    let written = try RegularFile.read(folder("f"), limit: 100)
    #expect(written == Array("{\"v\":1.50}\n".utf8))
    #expect(try client.ask(#"{"op":"send","id":2,"signal":"g.n","value":"x"}"#).contains(#""code":"failed""#))
    #expect(try client.ask("list g.f").contains(#""kind":"property","send":true"#))
    try append(" ", to: "f")
    try folder.write("2", to: "f")
    let host = try #require(daemon.host as? LoopHost)
    let signal = try #require(host.daemon.hub.runtime.signal(named: "g.f"))
    try daemon.iteration { signal.retained.last?.payload.value == 2 }
  }

  @Test func `values are added to files, whose names they may make below a folder`() throws {
    let daemon = try start(
      "f: {file: {path: \(folder("f")), append: true}}, "
        + "d: {file: {folder: \(folder.path), name: .day, append: true, format: json}}")
    let client = try daemon.connect()
    func send(_ value: String, to name: String) throws -> String {
      try client.ask(#"{"op":"send","id":1,"signal":"\#(name)","value":\#(value)}"#)
    }
    for text in ["a", "b"] { #expect(try send("\"\(text)\"", to: "g.f").contains(#""seq":"#)) }
    #expect(try RegularFile.read(folder("f"), limit: 100) == Array("a\nb\n".utf8))
    #expect(try send(#"{"day":"x/1"}"#, to: "g.d").contains(#""seq":1"#))
    #expect(try RegularFile.read(folder("x/1"), limit: 100) == Array("{\"day\":\"x/1\"}\n".utf8))
    symlink("/tmp", folder("out"))
    for (name, reason) in [
      ("../1", "is not a valid path below"), ("/tmp/1", "is not a valid path below"), ("out/1", "symbolic link"),
    ] {
      let answer = try send(#"{"day":"\#(name)"}"#, to: "g.d")
      #expect(answer.contains(#""code":"failed""#), "\(answer)")
      #expect(answer.contains(reason), "\(answer)")
    }
    #expect(try client.ask("list g.d").contains(#""kind":"input","send":true"#))
  }

  @Test func `lines are followed through rotation, copying and truncating`() throws {
    try append("before\nhalf", to: "t")
    let daemon = try start("t: {tail: \(folder("t")), replay: 100}")
    try append("1\n2\n", to: "t")
    try expect([#""1""#, #""2""#], of: "g.t", in: daemon)
    // logrotate's way: a new name, a new file, and a writer that keeps using the old one for a while
    rename(folder("t"), folder("t.1"))
    try append("3\n", to: "t.1")
    try append("", to: "t")
    try append("4\n", to: "t.1")
    try append("5\n", to: "t")
    try expect([#""1""#, #""2""#, #""3""#, #""4""#, #""5""#], of: "g.t", in: daemon)
    // copytruncate
    try truncate(folder("t"), writing: "")
    try daemon.host.iteration()
    try append("6\n", to: "t")
    try expect([#""1""#, #""2""#, #""3""#, #""4""#, #""5""#, #""6""#], of: "g.t", in: daemon)
    // Removed, and recreated later.
    unlink(folder("t"))
    try daemon.host.iteration()
    try append("7\n", to: "t")
    try expect([#""1""#, #""2""#, #""3""#, #""4""#, #""5""#, #""6""#, #""7""#], of: "g.t", in: daemon)
  }

  @Test(arguments: [false, true])
  func `a hole before a line is skipped, which is logged`(isGlob: Bool) throws {
    let path = folder("t")
    let writer = OwnedDescriptor(owning: open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    let daemon = try start(
      "t: {tail: {path: \"\(isGlob ? folder("[t]") : path)\", glob: \(isGlob), from: start}, "
        + "pipe: [{map: '.value? // .'}], replay: 100}")
    try writer.transfer.writeAll("1\n")
    try expect([#""1""#], of: "g.t", in: daemon)
    // copytruncate
    #expect(Glibc.truncate(path, 0) == 0)
    try writer.transfer.writeAll("2\n")
    try expect([#""1""#, #""2""#], of: "g.t", in: daemon)
    let log = try #require(daemon.host as? LoopHost).log
    #expect(
      log.records.filter { $0.level == .notice }.map(\.message).contains {
        $0.hasPrefix("tail of ") && $0.contains("skipped 2 NUL bytes at the beginning of a line")
      })
  }

  @Test func `files that match a pattern are followed, those that come later as well`() throws {
    let path = folder("d")
    let daemon = try start(
      "t: {tail: {path: \(path)/*.log, glob: true}, pipe: [{map: .value}], replay: 100}")
    mkdir(path, 0o755)
    try daemon.host.iteration()
    try append("1\n", to: "d/a.log")
    try expect([#""1""#], of: "g.t", in: daemon)
    try append("2\n", to: "d/b.log")
    try append("not this\n", to: "d/b.txt")
    try expect([#""1""#, #""2""#], of: "g.t", in: daemon)
    rename(folder("d/a.log"), folder("d/a.log.1"))
    try append("3\n", to: "d/a.log")
    try expect([#""1""#, #""2""#, #""3""#], of: "g.t", in: daemon)
    try append("4\n", to: "d/b.log")
    try expect([#""1""#, #""2""#, #""3""#, #""4""#], of: "g.t", in: daemon)
  }

  @Test func `a file is read from its start where that is asked for, and each file names its columns`() throws {
    try append("time,text\n1,a\n2,b\n", to: "t")
    try append("one\n more\n", to: "m")
    let daemon = try start(
      "t: {tail: {path: \(folder("t")), from: start, format: csv}, replay: 100}, "
        + "m: {tail: {path: \(folder("m")), from: start, "
        + "multiline: {begins: 'test(\"^[a-z]\")', wait: 1ms}}, replay: 100}")
    var seen = [#"{"time":"1","text":"a"}"#, #"{"time":"2","text":"b"}"#]
    try expect(seen, of: "g.t", in: daemon)
    try expect([#""one\n more""#], of: "g.m", in: daemon)
    rename(folder("t"), folder("t.1"))
    try append("3,c\n", to: "t.1")
    try append("level\nhigh\n", to: "t")
    seen += [#"{"time":"3","text":"c"}"#, #"{"level":"high"}"#]
    try expect(seen, of: "g.t", in: daemon)
    try truncate(folder("t"), writing: "")
    try daemon.host.iteration()
    try append("x\ny\n", to: "t")
    try expect(seen + [#"{"x":"y"}"#], of: "g.t", in: daemon)
  }

  @Test func `a file that is no regular one is not read, which is logged once`() throws {
    mkfifo(folder("pipe"), 0o600)
    let daemon = try start(
      "f: {file: \(folder("pipe"))}, t: {tail: \(folder("pipe"))}, d: {file: {path: \(folder.path), every: 1ms}}")
    let log = try #require(daemon.host as? LoopHost).log
    try daemon.iteration { log.records.contains { $0.message.contains("\(folder.path): not a regular file") } }
    for _ in 0..<20 { try daemon.host.iteration() }
    let told = log.records.filter { $0.message.contains("not a regular file") }.map(\.message)
    #expect(told.count == 3, "\(told)")
  }

  @Test func `files that cannot be read are followed from when they can be`() throws {
    chmod(folder.path, 0o777)
    try folder.write("1", to: "f")
    try append("before\n", to: "t")
    for name in ["f", "t"] { chmod(folder(name), 0) }
    let signals = "f: {file: \(folder("f")), replay: 9}, t: {tail: \(folder("t")), replay: 9}"
    let configuration = try folder.writeConfiguration("g: {signals: {\(signals)}}")
    let host = try FileRights.withoutRoot { try LoopHost(configuration: configuration, socket: folder("s")) }
    #expect(host.log.records.count { $0.message.contains("Permission denied") } == 2)
    func iteration() throws { try FileRights.withoutRoot { try host.iteration() } }
    func settle(_ name: String, _ values: [String]) throws {
      let signal = try #require(host.daemon.hub.runtime.signal(named: name))
      let deadline = MonotonicInstant.now() + .seconds(20)
      while signal.sequence < UInt64(values.count), MonotonicInstant.now() < deadline { try iteration() }
      #expect(signal.retained.latest(9).map { $0.payload.description } == values)
    }
    for name in ["f", "t"] { chmod(folder(name), 0o644) }
    try append("1\n", to: "t")
    try settle("g.f", [#""1""#])
    try settle("g.t", [#""1""#])
    // Replaced by an unreadable file, and then by a readable one.
    for name in ["f", "t"] {
      try folder.write("2\n", to: "new")
      chmod(folder("new"), 0)
      rename(folder("new"), folder(name))
      try iteration()
    }
    for name in ["f", "t"] {
      try folder.write("3\n", to: "new")
      rename(folder("new"), folder(name))
    }
    try settle("g.f", [#""1""#, #""3\n""#])
    try settle("g.t", [#""1""#, #""3""#])
    // The folder itself, too.
    chmod(folder.path, 0o700)
    try iteration()
    try folder.write("4", to: "f")
    try iteration()
    chmod(folder.path, 0o755)
    try settle("g.f", [#""1""#, #""3\n""#, #""4""#])
  }
}
