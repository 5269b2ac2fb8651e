/// The inner runs that are under way; each can be taken out at no cost, wherever it is.
@usableFromInline struct Crew<Outer: InnerReceiver> {
  @usableFromInline private(set) var members: [InnerRun<Outer>] = []

  @inlinable init() {}

  @inlinable var isEmpty: Bool { members.isEmpty }
  @inlinable var count: Int { members.count }

  @inlinable mutating func add(_ run: InnerRun<Outer>) {
    run.place = members.count
    members.append(run)
  }

  /// Takes a run out; false if it was not a member any more.
  @inlinable mutating func remove(_ run: InnerRun<Outer>) -> Bool {
    guard run.place >= 0 else { return false }
    let last = members.removeLast()
    if last !== run {
      members[run.place] = last
      last.place = run.place
    }
    run.place = -1
    return true
  }

  /// Takes one run out, if there is one.
  @inlinable mutating func removeLast() -> InnerRun<Outer>? {
    guard let last = members.popLast() else { return nil }
    last.place = -1
    return last
  }

  /// Takes all runs out but the one that is to stay.
  @inlinable mutating func removeAll(except staying: InnerRun<Outer>? = nil) -> [InnerRun<Outer>] {
    defer {
      members = []
      if let staying { add(staying) }
    }
    for run in members { run.place = -1 }
    return members.filter { $0 !== staying }
  }
}
