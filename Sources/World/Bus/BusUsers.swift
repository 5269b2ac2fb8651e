/// A user of a bus.
package protocol BusUser: AnyObject {
  /// Reacts to the state of the bus, between turns.
  func attend()

  /// The index in `BusUsers`, which sets it.
  var seat: Int { get set }
}

/// The users of one bus, in order of registration.
struct BusUsers {
  private var mirroredSignals: [(any BusUser)?] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  var all: some Sequence<any BusUser> { mirroredSignals.lazy.compactMap { $0 } }

  func contains(_ user: any BusUser) -> Bool {
    mirroredSignals.indices.contains(user.seat) && mirroredSignals[user.seat] === user
  }

  mutating func add(_ user: any BusUser) {
    user.seat = mirroredSignals.count
    mirroredSignals.append(user)
    count += 1
  }

  mutating func remove(_ user: any BusUser) {
    guard contains(user) else { return }
    mirroredSignals[user.seat] = nil
    count -= 1
    if mirroredSignals.count > 2 * count + 16 { moveUp() }
  }

  /// Removes the empty slots.
  private mutating func moveUp() {
    let users = Array(all)
    mirroredSignals = users
    for (seat, user) in users.enumerated() { user.seat = seat }
  }
}
