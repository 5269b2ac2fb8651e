import GraphEngine
import GraphModel
import JSON
import Testing

/// A watched folder as a source, controlled by the test.
@Suite struct `Watched folders` {
  private func file(_ path: String, _ size: Int64 = 1) -> FolderFile {
    FolderFile(path: path, inode: 7, size: size, modified: 1_500_000_000)
  }

  @Test func `each change of a file is a value with its path, size and time`() throws {
    let graph = try TestGraph(signals: "w: {watch: {folder: /d/, pattern: '**/*.c'}}")
    graph.folder("/d", .found([file("a.c")]), .looked, .created(file("x/b.c")), .changed(file("a.c", 20)))
    graph.folder("/d", .removed(path: "a.c"), .removed(path: "unknown.c"), .overflow)
    #expect(
      graph.said() == [
        #"w#1 {"path":"/d/x/b.c","event":"created","size":1,"modified":1.5}"#,
        #"w#2 {"path":"/d/a.c","event":"changed","size":20,"modified":1.5}"#,
        #"w#3 {"path":"/d/a.c","event":"removed","size":20,"modified":1.5}"#, #"w#4 {"event":"overflow"}"#,
      ])
    #expect(
      graph.folderStarts.map(\.query) == [FolderQuery(folder: "/d", pattern: "**/*.c", limit: 10_000, owner: "g.w")])
    graph.runtime.stop()
    #expect(graph.followers(of: "/d") == 0)
  }

  @Test func `only the events asked for are emitted, and files that exist if they are asked for`() throws {
    let graph = try TestGraph(
      signals: """
        new: {watch: {folder: /d, events: created, from: start}, pipe: [{map: .path}]}
        gone: {watch: {folder: /d, events: [removed]}, pipe: [{map: .path}]}
        """)
    graph.folder("/d", .found([file("a")]), .looked, .changed(file("a", 2)), .created(file("b")), .removed(path: "a"))
    #expect(graph.said() == [#"new#1 "/d/a""#, #"new#2 "/d/b""#, #"gone#1 "/d/a""#])
  }

  @Test func `what is known is kept across a restart`() throws {
    let graph = try TestGraph(signals: "w: {watch: /d, pipe: [{map: .event}]}", restarts: true)
    _ = graph.runtime
    #expect(graph.folderStarts.map(\.known) == [nil, nil])
    graph.folder("/d", .found([file("b"), file("a")]), .looked, .created(file("c")), .removed(path: "b"))
    _ = graph.runtime
    #expect(graph.folderStarts.last?.known == [file("a"), file("c")])
    graph.folder("/d", .removed(path: "a"))
    #expect(graph.said() == [#"w#1 "created""#, #"w#2 "removed""#, #"w#3 "removed""#])
  }

  @Test func `names that differ in their bytes alone are those of two files, also after a restart`() throws {
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    let graph = try TestGraph(signals: "w: {watch: /d, pipe: [{map: '[.event, .size]'}]}", restarts: true)
    graph.folder("/d", .found([file(composed)]), .looked, .created(file(decomposed, 2)), .changed(file(composed, 3)))
    _ = graph.runtime
    let known = try #require(graph.folderStarts.last?.known)
    #expect(known.map { Array($0.path.utf8) } == [decomposed, composed].map { Array($0.utf8) })
    #expect(known.map(\.size) == [2, 3])
    graph.folder("/d", .removed(path: decomposed), .removed(path: composed))
    #expect(
      graph.said() == [
        #"w#1 ["created",2]"#, #"w#2 ["changed",3]"#, #"w#3 ["removed",2]"#, #"w#4 ["removed",3]"#,
      ])
  }

  @Test func `a folder that is full or unreadable is an error of the signal`() throws {
    let graph = try TestGraph(signals: "w: {watch: {folder: /d, limit: 3}, on_error: fail}\nv: {watch: /e}")
    graph.folder("/e", .failed("cannot watch /e: Permission denied"))
    graph.folder("/d", .full)
    #expect(graph.refusals.map(\.failure.code) == ["file", "too_many"])
    #expect(graph.refusals.last?.failure.message == "more than 3 files match; further ones are not watched (limit)")
    #expect(graph.said() == ["w failed too_many"])
  }

  @Test(arguments: [
    ("watch: d", "expected an absolute path"),
    ("watch: {folder: /d, pattern: '/x'}", "expected a pattern of paths below the folder"),
    ("watch: {folder: /d, pattern: '../x'}", "expected a pattern of paths below the folder"),
    ("watch: {folder: /d, pattern: 'a**/x'}", #""a**" in a pattern: ** must be a whole part"#),
    ("watch: {folder: /d, events: [create]}", "expected one of created, changed, removed"),
    ("watch: {folder: /d, events: []}", "expected one or several of created, changed, removed"),
    ("watch: {folder: /d, limit: 0}", "must be at least 1"),
  ])
  func `an error in the parameters is reported with what is right`(declaration: String, message: String) throws {
    do {
      _ = try TestGraph.configuration(signals: "w: {\(declaration)}")
      Issue.record("it is accepted")
    } catch ConfigurationError.invalid(let diagnostics) {
      #expect(diagnostics.list.first?.text.contains(message) == true, "\(diagnostics.list)")
    }
  }
}
