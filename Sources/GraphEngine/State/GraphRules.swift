/// The versions of the rules that graphs follow in processing their inputs.
///
/// A state log is replayed under the rules that it was written under, since it must lead to the same state; from its
/// next snapshot on, and wherever no log is replayed, the present ones apply.
package enum GraphRules: UInt8, Comparable, Sendable {
  /// A late timer did all the work due until its run, `on_error: emit` sent an error through the rest of the pipe, and
  /// `skip_repeats` ignored the initial value of `hold`.
  case first = 1
  /// `order: none` of `call` called for one value after the other, but for those to be tried again; a durable pipe
  /// dropped the values for an action until its condition had come from outside, also if it has no `enabled_if`; and of
  /// the retained messages to one topic that waited for a broker, the first remained beside the newest. A message given
  /// while earlier ones had just failed stood before them until their connection was there again. Queues that pause their
  /// senders were shorter than what a piece of a file can have. A predicate was false for a value on which it failed, and
  /// `switch` took integers that are one double, and canonically equivalent strings, for one key. A
  /// `window` of a time or a period had no limit.
  case second
  case third

  package static let present = third

  /// The most values that one read of a file or a pipe yields before its reader pauses: each byte can be a line.
  var mostSent: Int { self < .third ? 1_000 : 5_000 }

  package static func < (left: GraphRules, right: GraphRules) -> Bool { left.rawValue < right.rawValue }
}
