/// A fact about the servers that clusters rest on.
package enum ServerFact: String, CaseIterable, Sendable {
  /// Two owners cannot both store their next record.
  case fence
  /// An owner knows where its record is.
  case acknowledgement
  /// Followers replay what the owner has written.
  case order
  /// A snapshot replaces records, and changes no sequence of those behind them.
  case purge
  /// Parts of commits and forwarded sends are one message each.
  case size

  package var statement: String {
    switch self {
    case .fence: "of three appends that expect the same sequence one is stored, and what is refused is not"
    case .acknowledgement: "the acknowledgement of an append tells its sequence"
    case .order: "a reader delivers all records in order"
    case .purge: "a purge keeps the sequences of the records behind it"
    case .size: "the longest message is stored whole"
    }
  }
}
