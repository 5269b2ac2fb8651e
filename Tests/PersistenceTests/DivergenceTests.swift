import JSON
import StateLog
import TestSupport
import Testing

@testable import Persistence

/// Graphs that diverge during replay are refused.
@Suite struct DivergenceTests {
  private static let graphs = """
    g:
      durable: true
      signals:
        in: {input: {}, replay: 10}
        f: {file: {path: /f}, replay: 10}
        upper: {from: f, pipe: [{map: ascii_upcase}], replay: 10}
        other: {input: {}}
    """

  /// A folder whose second commit has a file's content as its second entry.
  private static func folder() throws -> TemporaryFolder {
    let host = try DurableHost(graphs)
    host.send(.number(1), to: "g.in")
    host.settle()
    host.send(.number(2), to: "g.in")
    host.world.change("/f", to: "one")
    host.send(.number(3), to: "g.other")
    host.settle()
    return try host.copyOfState()
  }

  /// Replays a folder with a changed content of the file.
  private static func workOut(_ folder: TemporaryFolder, reading content: String) throws(StorageError) -> String? {
    let state = try StateFolder(folder.path)
    guard let snapshot = try state.newestSnapshot() else { return "there is no snapshot" }
    let replay: Replay
    do { replay = try Replay(snapshot) } catch { return "\(error)" }
    let world = replay.durable.world
    let recorded = world.nextContent
    world.nextContent = { recorded().map { _ in Array(content.utf8) } }
    try state.forEachCommit(after: snapshot.number) { commit throws(StorageError) in try replay.work(out: commit) }
    return nil
  }

  @Test func `the same journal leads to the same`() throws {
    #expect(try Self.workOut(Self.folder(), reading: "one") == nil)
  }

  @Test(arguments: ["two", "three", "One", "one "])
  func `another value is found at the entry at which it comes, with the signals that make it`(content: String) throws {
    let folder = try Self.folder()
    let error = #expect(throws: StorageError.self) { try Self.workOut(folder, reading: content) }
    #expect(error?.kind == .damaged)
    let expected =
      "replay diverged at entry 2, an event of a file, the system journal, a program or a bus: now "
      + "g.f, g.upper emit "
      + "values; refusing to start the graphs"
    #expect(error.map { "\($0)" }?.hasSuffix(expected) == true, "\(error.map { "\($0)" } ?? "")")
  }
}
