/// Those to whom each event is handed, one after another, without counting references to them on the way: that was a
/// quarter of the cost of a delivery.
///
/// Members may be taken out in the middle of a visit, even by themselves. Whoever does so keeps them until the turn ends
/// (`TurnBuffer.keep`).
struct Audience<Member: AnyObject> {
  private(set) var members: [Member] = []
  /// The members in their order, without ownership; during a visit those who go leave a hole.
  private var places: [Unmanaged<Member>?] = []
  private var visits = 0
  private var hasHoles = false

  var isEmpty: Bool { members.isEmpty }

  mutating func append(_ member: Member) {
    members.append(member)
    places.append(.passUnretained(member))
  }

  /// - Returns: whether it was there.
  mutating func remove(_ member: Member) -> Bool {
    guard let index = members.firstIndex(where: { $0 === member }) else { return false }
    members.remove(at: index)
    if visits == 0 {
      places.remove(at: index)
    } else if let place = places.firstIndex(where: { $0?.toOpaque() == Unmanaged.passUnretained(member).toOpaque() }) {
      places[place] = nil
      hasHoles = true
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
    if hasHoles && visits == 0 { closeHoles() }
  }

  private mutating func closeHoles() {
    places = members.map { .passUnretained($0) }
    hasHoles = false
  }
}
