/// A fault of the design that a simulation must find: the wrong variants of its model, and those of links.
///
/// Each is put between a node's state machines and their surroundings, so that the machines contain no word of it.
package enum Mutation: String, CaseIterable, Sendable {
  /// The stream stores an append wherever it ends.
  case unfenced
  /// An owner begins without the state before its opening.
  case unread
  /// A refusal counts as proof that a record is not stored.
  case unlooked
  /// A commit is told when it is sent.
  case early
  /// An append is repeated with other bytes.
  case rewritten
  /// An owner takes the sends of a link in any order.
  case unordered
  /// An owner answers all sends of a request once the first one is kept.
  case presumed
  /// An owner performs a message again.
  case forgetful
}
