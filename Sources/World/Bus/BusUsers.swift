/// A user of a bus.
package protocol BusUser: AnyObject {
  /// Reacts to the state of the bus, between turns.
  func attend()

  /// The index of its slot in `BusUsers`, which sets it.
  var slot: Int { get set }
}

/// The users of one bus, in order of registration.
struct BusUsers {
  private var slots: [(any BusUser)?] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  var all: some Sequence<any BusUser> { slots.lazy.compactMap { $0 } }

  func contains(_ user: any BusUser) -> Bool {
    slots.indices.contains(user.slot) && slots[user.slot] === user
  }

  mutating func add(_ user: any BusUser) {
    user.slot = slots.count
    slots.append(user)
    count += 1
  }

  mutating func remove(_ user: any BusUser) {
    guard contains(user) else { return }
    slots[user.slot] = nil
    count -= 1
    if slots.count > 2 * count + 16 { moveUp() }
  }

  /// Removes the empty slots.
  private mutating func moveUp() {
    let users = Array(all)
    slots = users
    for (slot, user) in users.enumerated() { user.slot = slot }
  }
}
