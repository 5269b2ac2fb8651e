/// Those to whom each event is handed, one after another, without counting references to them on the way: that was a
/// quarter of the cost of a delivery.
///
/// Others own them: a client its subscriptions, a subscription the feeds that it is attached to. Members may be taken out
/// in the middle of a visit, even by themselves; whoever does so keeps them until the turn ends (`TurnBuffer.keep`).
struct Audience<Member: AnyObject> {
  /// The members in their order; during a visit those who go leave a hole.
  private var places: [Unmanaged<Member>?] = []
  private var visits: Int16 = 0
  private var holes: Int32 = 0

  var isEmpty: Bool { places.count == Int(holes) }
  var members: [Member] { places.compactMap { $0?.takeUnretainedValue() } }

  mutating func append(_ member: Member) { places.append(.passUnretained(member)) }

  /// - Returns: whether it was there.
  mutating func remove(_ member: Member) -> Bool {
    let pointer = Unmanaged.passUnretained(member).toOpaque()
    guard let place = places.firstIndex(where: { $0?.toOpaque() == pointer }) else { return false }
    if visits == 0 {
      places.remove(at: place)
    } else {
      places[place] = nil
      holes += 1
    }
    return true
  }

  // A visit is a loop over the places between these two. It is not a function that takes a closure, which would hold
  // access to all of this while members want to be taken out.

  @inline(__always) var placeCount: Int { places.count }
  @inline(__always) subscript(place: Int) -> Unmanaged<Member>? { places[place] }

  @inline(__always) mutating func beginVisit() { visits += 1 }

  @inline(__always)
  mutating func endVisit() {
    visits -= 1
    if holes > 0 && visits == 0 { closeHoles() }
  }

  private mutating func closeHoles() {
    places.removeAll { $0 == nil }
    holes = 0
  }
}
