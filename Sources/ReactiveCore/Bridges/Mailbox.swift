import CThread

/// The values that a run has sent and a reader has not yet taken.
///
/// It holds no more values than its bound says. The thread that begins the run waits for room, which is how a producer
/// that sends all of its values as soon as it is started is slowed down to the pace of its reader. No other thread
/// waits here: for what it sends too much the bound says what becomes of it.
final class Mailbox<Value, Failure: Error>: @unchecked Sendable {
  enum Item {
    case value(Value)
    case ending(Ending<Failure>)
    /// Nothing yet.
    case none
  }

  private let bound: Bound<Failure>
  private let lock = FutexLock()
  private var values = Fifo<Value>()
  private var ending: Ending<Failure>?
  private var isClosed = false
  /// Called when there is something to take.
  private var reader: (() -> Void)?
  /// Opened when there is room again.
  private var room: Latch?
  /// The thread that is beginning the run.
  private var beginner: UInt = 0

  init(_ bound: Bound<Failure>) { self.bound = bound }

  /// Begins the run on this thread, which waits for room while it sends.
  func beginning(_ begin: () -> Void) {
    lock.withLock { beginner = signalbox_thread_pointer() }
    begin()
    lock.withLock { beginner = 0 }
  }

  /// Puts a value in; false if nothing more is wanted.
  func put(_ value: Value) -> Bool {
    while true {
      var dropped: Value?
      let (wake, room, isWanted) = lock.withLock { () -> ((() -> Void)?, Latch?, Bool) in
        guard !isClosed, ending == nil else { return (nil, nil, false) }
        if values.count >= bound.limit {
          if beginner == signalbox_thread_pointer() { return (nil, latchForRoom(), true) }
          guard overflow(dropping: &dropped) else { return (takeReader(), nil, ending == nil) }
        }
        values.append(value)
        return (takeReader(), nil, true)
      }
      // Let go outside the lock, as in `close`.
      dropped = nil
      wake?()
      guard let room else { return isWanted }
      room.wait()
    }
  }

  /// Puts the ending in.
  func end(_ ending: Ending<Failure>) {
    let wake = lock.withLock {
      if self.ending == nil { self.ending = ending }
      return takeReader()
    }
    wake?()
  }

  /// Takes what is next; after the ending, a completion.
  func take() -> Item {
    let (item, room) = lock.withLock { () -> (Item, Latch?) in
      if let value = values.popFirst() {
        defer { self.room = nil }
        return (.value(value), self.room)
      }
      guard let ending else { return (isClosed ? .ending(.completed) : .none, nil) }
      self.ending = .completed
      return (.ending(ending), nil)
    }
    room?.open()
    return item
  }

  /// Calls `wake` once there is something to take, which may be now.
  func whenReady(_ wake: @escaping () -> Void) {
    let isReady = lock.withLock {
      let isReady = isClosed || ending != nil || !values.isEmpty
      if !isReady { reader = wake }
      return isReady
    }
    if isReady { wake() }
  }

  /// The reader wants nothing more.
  func close() {
    let (wake, sender, dropped) = lock.withLock { () -> ((() -> Void)?, Latch?, Fifo<Value>) in
      isClosed = true
      let (dropped, sender) = (values, room)
      values.removeAll()
      room = nil
      return (takeReader(), sender, dropped)
    }
    wake?()
    sender?.open()
    // Let go outside the lock: their deinitialisers may do anything.
    withExtendedLifetime(dropped) {}
  }

  /// Makes room for one more value; false if it is not to be kept.
  private func overflow(dropping dropped: inout Value?) -> Bool {
    switch bound.overflow {
    case .dropOldest:
      dropped = values.popFirst()
      return true
    case .dropNewest: return false
    case .fail(let error):
      ending = .failed(error)
      return false
    }
  }

  private func latchForRoom() -> Latch {
    let latch = room ?? Latch()
    room = latch
    return latch
  }

  private func takeReader() -> (() -> Void)? {
    defer { reader = nil }
    return reader
  }
}
