/// The entries that a signal wants of the journal of systemd.
package struct SystemJournalQuery: Equatable, Sendable {
  /// A folder of journal files; `nil` for the journal of this machine.
  package let folder: String?
  /// The conditions that an entry has to meet, all of them.
  package let conditions: [Condition]
  /// How many bytes the fields of an entry may have together.
  package let limit: Int
  /// The signal for which it is read, by its full name.
  package let owner: String

  /// Sets of matches, of which an entry has to meet one: of each field one of the matches, `FIELD=value`.
  package typealias Condition = [[String]]

  package init(folder: String?, conditions: [Condition], limit: Int, owner: String) {
    self.folder = folder
    self.conditions = conditions
    self.limit = limit
    self.owner = owner
  }
}
