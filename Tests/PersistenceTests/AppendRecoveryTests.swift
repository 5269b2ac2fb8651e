import GraphEngine
import JSON
import Signals
import Testing

@testable import Persistence

@Suite struct `Durable graphs that add to files` {
  private static let graphs = """
    g:
      durable: true
      signals:
        f: {file: {path: /f, append: true, format: json}}
        d: {file: {folder: /d, name: '"\\(.)"', write: true, format: json}}
    """

  /// Returns the written files, in order.
  private func written(_ host: DurableHost) -> [String] { host.world.written.map { String($0.dropLast()) } }

  @Test func `a line is added once its value is on disk, and not again after an end of any kind`() throws {
    let host = try DurableHost(Self.graphs)
    host.send(.number(1), to: "g.f")
    #expect(written(host) == [])
    host.settle()
    #expect(written(host) == ["/f 1"])
    try host.kill()
    host.settle()
    host.send(.number(2), to: "g.f")
    host.present.finish()
    #expect(written(host) == ["/f 1", "/f 2"])
    try host.kill()
    host.settle()
    #expect(written(host) == ["/f 1", "/f 2"])
  }

  @Test(arguments: [false, true])
  func `lines that may not have been written are added in their order`(hasSnapshot: Bool) throws {
    let host = try DurableHost(Self.graphs)
    host.send(.number(1), to: "g.f")
    host.settle()
    for number in [2.0, 3, 4] { host.send(.number(number), to: "g.f") }
    host.turn()
    host.waitUntilWritten()
    if hasSnapshot { host.present.takeSnapshot() }
    try host.killOnceWritten()
    host.settle()
    #expect(written(host) == ["/f 1", "/f 2", "/f 3", "/f 4"])
    try host.kill()
    host.settle()
    #expect(written(host).count == 4)
  }

  @Test func `of files below a folder that are replaced the last content of each is written again`() throws {
    let host = try DurableHost(Self.graphs)
    for number in [1.0, 2, 1] { host.send(.number(number), to: "g.d") }
    host.turn()
    try host.killOnceWritten()
    host.settle()
    #expect(written(host) == ["/d/2 2", "/d/1 1"])
  }

  @Test func `files whose names differ in their bytes alone are owed each`() throws {
    let (composed, decomposed) = ("/\u{e9}", "/e\u{301}")
    let writings = [
      FileWriting([1], to: .absolute(composed)), FileWriting([2], to: .absolute(decomposed)),
      FileWriting([3], to: .below(folder: "/d", name: composed)),
      FileWriting([4], to: .below(folder: "/d", name: decomposed)),
    ]
    let owed = OwedWritings(writings)
    var writer = StateEncoder()
    owed.encodeContents(to: &writer)
    owed.encodeOthers(to: &writer)
    var (reader, read) = (StateDecoder(writer.bytes), OwedWritings())
    try read.readContents(from: &reader)
    try read.readOthers(from: &reader)
    for owed in [owed, read] {
      #expect(
        Set(owed.all.map { "\(Array("\($0.path)".utf8)) \($0.content)" })
          == Set(writings.map { "\(Array("\($0.path)".utf8)) \($0.content)" }))
    }
  }

  @Test func `what is owed is encoded and decoded`() throws {
    let writings = [
      FileWriting([1], to: .absolute("/a")), FileWriting([2], to: .absolute("/a"), isAppended: true),
      FileWriting([3], to: .below(folder: "/d", name: "x/y"), isAppended: true), FileWriting([4], to: .absolute("/a")),
      FileWriting([5], to: .below(folder: "/d", name: "z")), FileWriting([6], to: .absolute("/b"), isAppended: true),
    ]
    var owed = OwedWritings(writings)
    var writer = StateEncoder()
    owed.encodeContents(to: &writer)
    owed.encodeOthers(to: &writer)
    var (reader, read) = (StateDecoder(writer.bytes), OwedWritings())
    try read.readContents(from: &reader)
    try read.readOthers(from: &reader)
    #expect(read.all == owed.all)
    // A replacement of a file stays queued behind the additions to it.
    #expect(owed.all.map(\.content) == [[1], [2], [3], [4], [5], [6]])
    owed.remove(completedBy: .appended(2))
    #expect(owed.all.map(\.content) == [[1], [4], [5], [6]])
    owed.remove(completedBy: .appended(9))
    #expect(owed.all.map(\.content) == [[1], [4], [5]])
    owed.add(FileWriting([7], to: .absolute("/a")))
    #expect(owed.all.map(\.content) == [[1], [5], [7]])
    owed.remove(completedBy: .replaced([.absolute("/a"), .below(folder: "/d", name: "x")]))
    #expect(owed.all.map(\.content) == [[5]])
  }
}
