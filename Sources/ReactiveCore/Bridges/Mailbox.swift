import CThread
import Signals

/// The values that a run has sent and a reader has not yet taken, within a bound.
///
/// The thread that begins the run waits for capacity; this is the backpressure on a producer that sends all its values
/// as soon as it is started. No other thread waits: the bound's overflow policy applies to its values.
final class Mailbox<Value, Failure: Error>: @unchecked Sendable {
  enum Item {
    case value(Value)
    case ending(Ending<Failure>)
    /// No item yet.
    case none
  }

  private let bound: Bound<Failure>
  private let lock = FutexLock()
  private var values = Fifo<Value>()
  private var ending: Ending<Failure>?
  private var isClosed = false
  /// The callback for an available item.
  private var reader: (() -> Void)?
  /// Opened when there is capacity again.
  private var room: Latch?
  /// The thread that begins the run.
  private var beginner: UInt = 0

  init(_ bound: Bound<Failure>) { self.bound = bound }

  /// Begins the run on this thread, which waits for capacity while it sends.
  func beginning(_ begin: () -> Void) {
    lock.withLock { beginner = signalbox_thread_pointer() }
    begin()
    lock.withLock { beginner = 0 }
  }

  /// Adds a value; false if the reader accepts no more.
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
      // Released outside the lock, as in `close`.
      dropped = nil
      wake?()
      guard let room else { return isWanted }
      room.wait()
    }
  }

  /// Adds the ending.
  func end(_ ending: Ending<Failure>) {
    let wake = lock.withLock {
      if self.ending == nil { self.ending = ending }
      return takeReader()
    }
    wake?()
  }

  /// Returns the next item; after the ending, a completion.
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

  /// Calls `wake` once there is an item, possibly before it returns.
  func whenReady(_ wake: @escaping () -> Void) {
    let isReady = lock.withLock {
      let isReady = isClosed || ending != nil || !values.isEmpty
      if !isReady { reader = wake }
      return isReady
    }
    if isReady { wake() }
  }

  /// Closes the mailbox for the reader.
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
    // Released outside the lock: deinitialisers may run any code.
    withExtendedLifetime(dropped) {}
  }

  /// Makes room for one more value; false if that value is to be dropped.
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
