/// Open groups in the order in which they were last sent a value; each can be moved at no cost, wherever it is.
///
/// The groups are linked with each other and belong to somebody else, who takes out what he lets go.
struct GroupsByAge<Key, Value, Failure: Error> {
  typealias Member = Group<Key, Value, Failure>

  /// The one that has been sent nothing for longest.
  private(set) unowned var oldest: Member?
  private unowned var newest: Member?

  init() {}

  /// Notes that a group is sent a value now.
  mutating func touch(_ group: Member, at now: Instant) {
    group.lastSeen = now
    guard newest !== group else { return }
    remove(group)
    group.older = newest
    newest?.newer = group
    newest = group
    if oldest == nil { oldest = group }
  }

  /// Takes a group out, if it is in.
  mutating func remove(_ group: Member) {
    if oldest === group { oldest = group.newer }
    if newest === group { newest = group.older }
    group.older?.newer = group.newer
    group.newer?.older = group.older
    (group.older, group.newer) = (nil, nil)
  }
}
