/// Those to whom each event is handed, one after another, without counting references to them on the way: that was a
/// quarter of the cost of a delivery.
///
/// Others own them: a client its subscriptions, a subscription the feeds that it is attached to. Members may be taken
/// out in the middle of a visit, even by themselves; they are kept until the turn ends (`Turn.keep`).
///
/// Taking one out costs the same however many there are, amortised: a client may have tens of thousands of
/// subscriptions to one signal, and nobody else is to wait while it leaves.
struct Audience<Member: AnyObject> {
  /// Up to this size a member is looked for in the list itself.
  private static var short: Int { 32 }

  /// The members in their order; those who go leave a hole until many have gone.
  private var places: [Unmanaged<Member>?] = []
  /// Where each member stands, in a long list from which somebody has gone.
  private var index: [UnsafeMutableRawPointer: Int32]?
  private var visits: Int32 = 0
  private var holes: Int32 = 0

  var count: Int { places.count - Int(holes) }
  var isEmpty: Bool { places.count == Int(holes) }
  var members: [Member] { places.compactMap { $0?.takeUnretainedValue() } }

  mutating func append(_ member: Member) {
    let member = Unmanaged.passUnretained(member)
    index?[member.toOpaque()] = Int32(places.count)
    places.append(member)
  }

  /// - Returns: whether it was there.
  @discardableResult
  mutating func remove(_ member: Member) -> Bool {
    let pointer = Unmanaged.passUnretained(member).toOpaque()
    guard let place = place(of: pointer) else { return false }
    places[place] = nil
    index?[pointer] = nil
    holes += 1
    closeHoles()
    return true
  }

  private mutating func place(of pointer: UnsafeMutableRawPointer) -> Int? {
    if places.count <= Self.short { return places.firstIndex { $0?.toOpaque() == pointer } }
    if index == nil { index = makeIndex() }
    return index?[pointer].map(Int.init)
  }

  private func makeIndex() -> [UnsafeMutableRawPointer: Int32] {
    var index: [UnsafeMutableRawPointer: Int32] = [:]
    index.reserveCapacity(count)
    for (place, member) in places.enumerated() {
      if let member { index[member.toOpaque()] = Int32(place) }
    }
    return index
  }

  // A visit is a loop over the places between these two. It is not a function that takes a closure, which would hold
  // access to all of this while members want to be taken out.

  @inline(__always) var placeCount: Int { places.count }
  @inline(__always) subscript(place: Int) -> Unmanaged<Member>? { places[place] }

  @inline(__always) mutating func beginVisit() { visits += 1 }

  @inline(__always)
  mutating func endVisit() {
    visits -= 1
    if holes > 0 { closeHoles() }
  }

  /// Closes the holes of a short list at once, those of a long one when there are as many as members.
  private mutating func closeHoles() {
    guard visits == 0, places.count <= Self.short || count <= holes else { return }
    places.removeAll { $0 == nil }
    holes = 0
    index = nil
  }
}
