/// Open groups ordered by last use; each can be moved in constant time.
///
/// The groups are linked with each other and owned elsewhere; the owner removes a group before releasing it.
struct GroupsByAge<Key, Value, Failure: Error> {
  typealias Member = Group<Key, Value, Failure>

  /// The group longest idle.
  private(set) unowned var oldest: Member?
  private unowned var newest: Member?

  init() {}

  /// Records that a group receives a value now.
  mutating func touch(_ group: Member, at now: Instant) {
    group.lastSeen = now
    guard newest !== group else { return }
    remove(group)
    group.older = newest
    newest?.newer = group
    newest = group
    if oldest == nil { oldest = group }
  }

  /// Removes a group, if present.
  mutating func remove(_ group: Member) {
    if oldest === group { oldest = group.newer }
    if newest === group { newest = group.older }
    group.older?.newer = group.newer
    group.newer?.older = group.older
    (group.older, group.newer) = (nil, nil)
  }
}
