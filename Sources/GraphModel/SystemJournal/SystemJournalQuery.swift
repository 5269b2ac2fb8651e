import Base

/// The entries of the system journal that a signal requests.
package struct SystemJournalQuery: Equatable, Sendable {
  /// A folder of journal files; `nil` for the journal of this machine.
  package let folder: String?
  /// The conditions that an entry must meet, all of them.
  package let conditions: [Condition]
  /// The greatest number of bytes of all fields of an entry together.
  package let limit: Int
  /// The full name of the signal that it is read for.
  package let owner: String

  /// Alternative sets of matches, `FIELD=value`.
  ///
  /// An entry must meet one set: for each field in it, one of the matches.
  package typealias Condition = [[String]]

  package init(folder: String?, conditions: [Condition], limit: Int, owner: String) {
    self.folder = folder
    self.conditions = conditions
    self.limit = limit
    self.owner = owner
  }
}

// The journal compares fields, and the kernel paths, by their bytes.
extension SystemJournalQuery {
  package static func == (one: Self, other: Self) -> Bool {
    one.folder.map(ExactText.init) == other.folder.map(ExactText.init) && one.exactConditions == other.exactConditions
      && one.limit == other.limit && one.owner == other.owner
  }

  private var exactConditions: [[[ExactText]]] {
    conditions.map { sets in sets.map { matches in matches.map(ExactText.init) } }
  }
}
