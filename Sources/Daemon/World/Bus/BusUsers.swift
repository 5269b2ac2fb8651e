/// Somebody who needs a bus.
protocol BusUser: AnyObject {
  /// Looks at how the bus stands now and at what it wants of it, between turns.
  func attend()

  /// The place among the users of the bus, which these give.
  var seat: Int { get set }
}

/// All who need one bus, in the order in which they came.
struct BusUsers {
  private var seats: [(any BusUser)?] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  var all: some Sequence<any BusUser> { seats.lazy.compactMap { $0 } }

  func contains(_ user: any BusUser) -> Bool { seats.indices.contains(user.seat) && seats[user.seat] === user }

  mutating func add(_ user: any BusUser) {
    user.seat = seats.count
    seats.append(user)
    count += 1
  }

  mutating func remove(_ user: any BusUser) {
    guard contains(user) else { return }
    seats[user.seat] = nil
    count -= 1
    if seats.count > 2 * count + 16 { moveUp() }
  }

  /// Takes away the empty seats.
  private mutating func moveUp() {
    let users = Array(all)
    seats = users
    for (seat, user) in users.enumerated() { user.seat = seat }
  }
}
