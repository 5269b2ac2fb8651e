package import GraphModel

/// A missing or unreadable journal is waited for.
extension SystemJournalQuery: WorldQuery {
  package typealias Start = SystemJournalStart
  package typealias Event = SystemJournalEvent
  package static var name: String { "journal" }
}
