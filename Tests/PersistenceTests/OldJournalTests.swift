import Foundation
import GraphEngine
import GraphModel
import JSON
import Signals
import StateLog
import TestSupport
import Testing

@testable import Persistence

/// This version resumes the folders of earlier versions.
///
/// A version with another folder format adds one, and does not change the others: `N.sqlite` is the database of a
/// daemon that ran on `N.yaml` and was killed, and `N.txt` holds its signals' events.
@Suite struct OldJournalTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Journals")

  private func read(_ name: String) throws -> Data { try Data(contentsOf: Self.folder.appending(path: name)) }

  @Test(arguments: ["1", "2"]) func `a journal of an earlier version leads to what it led to`(name: String) throws {
    let place = TemporaryFolder(inMemory: true)
    try read("\(name).sqlite").write(to: URL(filePath: place("state.sqlite")))
    let configuration = try StoredConfiguration(
      reading: .alone(Self.folder.appending(path: "\(name).yaml").path)
    ).configuration
    var entries = 0
    let recovered = try Recovered(from: try StateFolder(place.path), configuration) { entries = $0 }
    #expect(entries > 5)
    let expected = String(decoding: try read("\(name).txt"), as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(said(by: recovered.durable) == expected)
    let ledger = try #require(recovered.durable.messages["home"])
    for (message, sequence) in [("m1", 1), ("end", 5)] {
      let time = recovered.durable.time.microseconds
      #expect(ledger.answer(to: message, at: time, within: Durability().messageIDs)?.sequence == UInt64(sequence))
    }
  }

  /// Rules 1 ran timers late, sent errors through the rest of the pipe, and emitted an initial value twice.
  ///
  /// Rules 2 made calls one by one in spite of `order: none`; their snapshot has windows by count, time and calendar.
  @Test(arguments: [("3", GraphRules.first), ("4", .second)])
  func `a journal of earlier rules leads to what it led to under these`(name: String, rules: GraphRules) throws {
    let place = TemporaryFolder(inMemory: true)
    try read("\(name).sqlite").write(to: URL(filePath: place("state.sqlite")))
    // The first versions had no mark.
    if let mark = try? read("\(name).sqlite-mark") { try mark.write(to: URL(filePath: place("state.sqlite-mark"))) }
    let configuration = try StoredConfiguration(
      reading: .alone(Self.folder.appending(path: "\(name).yaml").path)
    ).configuration
    let durable = try Recovered(from: try StateFolder(place.path), configuration) { _ in }.durable
    let expected = String(decoding: try read("\(name).txt"), as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(said(by: durable) == expected)
    #expect(durable.runtime.rules == rules)
    let next = DurableRuntime(
      configuration.part(of: .folder), world: DurableWorld(.stateLog), mirrors: DurableRuntime.mirrors(in: .folder),
      isResuming: true)
    try next.resume(durable.state(), .anew)
    #expect(next.runtime.rules == .present)
    #expect(said(by: next) == expected)
    #expect(next.state().first == GraphRules.present.rawValue)
  }

  @Test(arguments: ["1", "2", "3", "4"]) func `what an earlier version wrote is written again byte for byte`(
    name: String
  ) throws {
    let place = TemporaryFolder(inMemory: true)
    try read("\(name).sqlite").write(to: URL(filePath: place("state.sqlite")))
    if let mark = try? read("\(name).sqlite-mark") { try mark.write(to: URL(filePath: place("state.sqlite-mark"))) }
    let folder = try StateFolder(place.path)
    let snapshot = try #require(try folder.newestSnapshot())
    let replay = try Replay(snapshot)
    #expect(replay.stored.bytes == snapshot.configuration)
    let again = Snapshot(snapshot.number, at: snapshot.time, of: replay.durable, owing: replay.owed, replay.stored)
    #expect(again.state == snapshot.state)
    var entries: [[UInt8]] = []
    replay.onEntry = { entry, _ in
      var writer = StateEncoder()
      entry.encode(to: &writer)
      entries.append(writer.bytes)
    }
    try folder.forEachCommit(after: replay.firstCommit) { (commit) throws(StorageError) in
      entries = []
      try replay.work(out: commit)
      for entry in entries { #expect(commit.entries.firstRange(of: entry) != nil) }
    }
  }

  private func said(by durable: DurableRuntime) -> [String] {
    durable.runtime.signals.filter(\.declaration.isDurable).flatMap { signal in
      let values = signal.retained.latest(100).map { entry in
        "\(signal.name) \(entry.sequence) \(String(decoding: entry.payload.json, as: UTF8.self))"
      }
      return values + (signal.ending.map { ["\(signal.name) \($0.event)"] } ?? [])
    }
  }

  @Test(arguments: [("1", []), ("2", [2, 1, 2, 1, 1, 2])])
  func `a state log records the senders of its entries since the second version`(name: String, numbers: [Int]) throws {
    let place = TemporaryFolder(inMemory: true)
    try read("\(name).sqlite").write(to: URL(filePath: place("state.sqlite")))
    let folder = try StateFolder(place.path)
    let replay = try Replay(try #require(try folder.newestSnapshot()))
    var senders: [EntrySender] = []
    replay.onEntry = { [unowned replay] _, _ in senders += replay.sender.map { [$0] } ?? [] }
    try folder.forEachCommit(after: replay.firstCommit) { (commit) throws(StorageError) in
      try replay.work(out: commit)
    }
    #expect(senders == numbers.map { EntrySender(userID: 0, connection: .socket($0)) })
  }
}
