import GraphEngine
import GraphModel
import JSON
import Testing

/// The files of a glob pattern as a source, controlled by the test.
@Suite struct `Files that match a pattern` {
  private let a = FileNumbers(device: 1, inode: 1)
  private let b = FileNumbers(device: 1, inode: 2)

  private func place(_ numbers: FileNumbers, _ offset: Int64) -> TailPlace {
    TailPlace(device: numbers.device, inode: numbers.inode, offset: offset)
  }

  private func lines(_ text: String, of numbers: FileNumbers) -> GlobEvent {
    .tail(.appended(Array(text.utf8)), of: numbers)
  }

  @Test func `each value has the path of its file, and the lines of files do not mix`() throws {
    let graph = try TestGraph(signals: "t: {tail: {path: /d/*.log, glob: true, format: json}}")
    graph.glob("/d/*.log", .began(place(a, 0), path: "/d/a.log"), .began(place(b, 0), path: "/d/b.log"), .looked)
    graph.glob("/d/*.log", lines("1\n2", of: a), lines("3\n", of: b), lines("0\n", of: a))
    #expect(
      graph.said() == [
        #"t#1 {"path":"/d/a.log","value":1}"#, #"t#2 {"path":"/d/b.log","value":3}"#,
        #"t#3 {"path":"/d/a.log","value":20}"#,
      ])
    graph.glob("/d/*.log", lines("4", of: a), .ended(a), lines("5\n", of: a), lines("x\n6\n", of: b))
    #expect(graph.said() == [#"t#4 {"path":"/d/a.log","value":4}"#, #"t#5 {"path":"/d/b.log","value":6}"#])
    #expect(graph.refusals.map(\.failure.code) == ["bad_value"])
    graph.runtime.stop()
    #expect(graph.followers(of: "/d/*.log") == 0)
  }

  @Test func `all files are resumed where they were, records and columns of each included`() throws {
    let graph = try TestGraph(
      signals: """
        t: {tail: {path: "/d/*", glob: true, format: csv, from: start, multiline: 'test("^[a-z0-9]")'}}
        """, restarts: true)
    _ = graph.runtime
    #expect(graph.globStarts == [.beginning, .beginning])
    graph.glob("/d/*", .looked)
    graph.glob("/d/*", .began(place(a, 0), path: "/d/a"), lines("x\n1\n -", of: a), .tail(.reached(place(a, 6)), of: a))
    graph.glob("/d/*", .began(place(b, 0), path: "/d/b"))
    _ = graph.runtime
    #expect(
      graph.globStarts.last
        == .places([.init(path: "/d/a", place: place(a, 6)), .init(path: "/d/b", place: place(b, 0))]))
    graph.glob("/d/*", lines("more\n2\n", of: a))
    #expect(graph.said() == [#"t#1 {"path":"/d/a","value":{"x":"1\n -more"}}"#])
    graph.advance(to: 2)
    #expect(graph.said() == [#"t#2 {"path":"/d/a","value":{"x":"2"}}"#])
  }

  @Test func `a line that is refused fails the signal where it asks for that`() throws {
    let graph = try TestGraph(signals: "t: {tail: {path: /d/*, glob: true, format: json}, on_error: fail}")
    graph.glob("/d/*", .began(place(a, 0), path: "/d/a"), lines("x\n1\n", of: a))
    #expect(graph.said() == ["t failed bad_value"])
    #expect(graph.followers(of: "/d/*") == 0)
  }
}
