/// An ordered set of members that are visited for each event without reference counting, which was a quarter of the
/// cost of a delivery.
///
/// The members are owned elsewhere: subscriptions by their client, delivery groups by their subscriptions. Members may
/// be removed in the middle of a visit, even by themselves; they stay alive until the iteration ends
/// (`LoopIteration.keep`).
///
/// Removal takes amortised constant time: a client may have tens of thousands of subscriptions to one signal, and must
/// not delay the others when it disconnects.
struct UnretainedSet<Member: AnyObject> {
  /// Up to this size, members are found by a linear search.
  private static var short: Int { 32 }

  /// The members in order; a removed member leaves a hole until many have been removed.
  private var places: [Unmanaged<Member>?] = []
  /// The position of each member, for a long list with removals.
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

  /// - Returns: `true` if it was a member.
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

  // A visit is a loop over the positions between these two calls. It is not a function that takes a closure, which
  // would hold exclusive access to the whole structure while members need to be removed.

  @inline(__always) var placeCount: Int { places.count }
  @inline(__always) subscript(place: Int) -> Unmanaged<Member>? { places[place] }

  @inline(__always) mutating func beginVisit() { visits += 1 }

  @inline(__always)
  mutating func endVisit() {
    visits -= 1
    if holes > 0 { closeHoles() }
  }

  /// Closes the holes of a short list at once, those of a long one when they are as many as the members.
  private mutating func closeHoles() {
    guard visits == 0, places.count <= Self.short || count <= holes else { return }
    places.removeAll { $0 == nil }
    holes = 0
    index = nil
  }
}
