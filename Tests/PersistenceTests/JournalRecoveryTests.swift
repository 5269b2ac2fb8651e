import GraphModel
import JSON
import Signals
import Testing

@testable import Persistence

/// Durable graphs that follow the system journal.
@Suite struct `Durable graphs that follow the journal` {
  private static let graphs = "g: {durable: true, signals: {j: {journal: a, pipe: [{map: .MESSAGE}], replay: 10}}}"

  private func entry(_ message: String, _ cursor: String) -> SystemJournalEvent {
    .entry(
      SystemJournalEntry(
        cursor: cursor, realtime: 1, monotonic: 2, fields: [.init(name: "MESSAGE", value: Array(message.utf8))]))
  }

  @Test(arguments: [false, true])
  func `entries are input, and reading resumes after the last one`(hasSnapshot: Bool) throws {
    let host = try DurableHost(Self.graphs)
    host.world.enterIntoJournal(.reached("0"))
    host.world.enterIntoJournal(entry("one", "1"))
    host.world.enterIntoJournal(.tooLarge("2"))
    host.settle()
    if hasSnapshot { host.present.takeSnapshot() }
    try host.kill()
    host.world.enterIntoJournal(entry("two", "3"))
    host.settle()
    try host.kill()
    #expect(host.world.journalStarts == [.end, .after("2"), .after("3")])
    #expect(host.told(of: "g.j") == [#"g.j 1 "one""#, #"g.j 2 "two""#])
  }

  @Test func `one that was killed before any entry came resumes where it began`() throws {
    let host = try DurableHost(Self.graphs)
    host.world.enterIntoJournal(.reached(""))
    host.settle()
    try host.kill()
    #expect(host.world.journalStarts == [.end, .beginning])
  }

  @Test func `every event is encoded and decoded`() throws {
    let events: [SystemJournalEvent] = [
      .reached("c"), .tooLarge("c"),
      .entry(
        SystemJournalEntry(
          cursor: "c", realtime: .max, monotonic: 0,
          fields: [.init(name: "X", value: [0, 255]), .init(name: "X", value: [])])),
    ]
    for event in events {
      var writer = StateEncoder()
      event.encode(to: &writer)
      var reader = StateDecoder(writer.bytes)
      #expect(try SystemJournalEvent(from: &reader) == event)
      #expect(reader.isAtEnd)
    }
  }
}
