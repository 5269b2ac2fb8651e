import GraphModel
import JSON
import StateLog
import TestSupport
import Testing

@testable import GraphEngine
@testable import Persistence

/// A recovery that takes a state log piece by piece, as it arrives.
@Suite struct RecoveryInSlicesTests {
  private static let graphs = """
    g:
      durable: true
      signals:
        in: {input: {}, hold: true}
        sum: {from: in, pipe: [{scan: {initial: 0, next: $state + .}}], replay: 3}
    """

  private let host: DurableHost
  private let folder: StateFolder
  private let copy: TemporaryFolder
  private var snapshot: Snapshot { get throws { try #require(try folder.newestSnapshot()) } }
  private var commits: [Commit] {
    get throws {
      var commits: [Commit] = []
      try folder.forEachCommit(after: try snapshot.number) { commits.append($0) }
      return commits
    }
  }

  init() throws {
    host = try DurableHost(Self.graphs)
    for value in 1...5 {
      host.send(.number(Double(value)), to: "g.in")
      host.settle()
    }
    copy = try host.copyOfState()
    folder = try StateFolder(copy.path)
  }

  private var recovery: Recovery { Recovery(of: .folder, under: host.present.configuration.configuration) }

  @Test func `leads to the same state as a recovery at once`() throws {
    var recovery = recovery
    try recovery.take(try snapshot)
    for commit in try commits { try recovery.take(commit) }
    #expect(recovery.entryCount >= 5)
    let whole = try Recovered(from: folder, host.present.configuration.configuration) { _ in }
    let recovered = recovery.finish()
    #expect(recovered.lastCommit == whole.lastCommit)
    #expect(recovered.durable.state() == whole.durable.state())
    #expect(recovered.durable.runtime.signal(named: "g.sum")?.sequence == 5)
  }

  @Test func `begins again with a later snapshot`() throws {
    var recovery = recovery
    try recovery.take(try snapshot)
    for commit in try commits.prefix(2) { try recovery.take(commit) }
    host.present.takeSnapshot()
    host.settle()
    let later = try host.copyOfState()
    let end = try #require(try StateFolder(later.path).newestSnapshot())
    try recovery.take(end)
    let recovered = recovery.finish()
    #expect(recovered.lastCommit == end.number)
    #expect(recovered.durable.runtime.signal(named: "g.sum")?.sequence == 5)
  }

  @Test func `takes no commit out of place`() throws {
    let (snapshot, commits) = (try snapshot, try commits)
    var recovery = recovery
    #expect(throws: StorageError(.damaged, "commit \(commits[0].number) follows no snapshot")) {
      try recovery.take(commits[0])
    }
    try recovery.take(snapshot)
    try recovery.take(commits[0])
    for commit in [commits[0], commits[2]] {
      #expect(throws: StorageError(.damaged, "commit \(commits[1].number) is missing")) { try recovery.take(commit) }
    }
    try recovery.take(commits[1])
    #expect(recovery.finish().lastCommit == commits[1].number)
  }

  @Test func `without anything leads to graphs that have not begun`() {
    let recovered = recovery.finish()
    #expect(recovered.configuration == nil && recovered.lastCommit == 0)
  }
}
