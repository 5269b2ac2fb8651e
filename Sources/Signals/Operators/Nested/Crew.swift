/// The inner runs under way; each can be removed in constant time.
@usableFromInline struct Crew<Outer: InnerReceiver> {
  @usableFromInline private(set) var members: [InnerRun<Outer>] = []

  @inlinable init() {}

  @inlinable var isEmpty: Bool { members.isEmpty }
  @inlinable var count: Int { members.count }

  @inlinable mutating func add(_ run: InnerRun<Outer>) {
    run.place = members.count
    members.append(run)
  }

  /// Removes a run; false if it was not a member.
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

  /// Removes one run, if there is one.
  @inlinable mutating func removeLast() -> InnerRun<Outer>? {
    guard let last = members.popLast() else { return nil }
    last.place = -1
    return last
  }

  /// Removes all runs but one.
  @inlinable mutating func removeAll(except staying: InnerRun<Outer>? = nil) -> [InnerRun<Outer>] {
    defer {
      members = []
      if let staying { add(staying) }
    }
    for run in members { run.place = -1 }
    return members.filter { $0 !== staying }
  }
}
