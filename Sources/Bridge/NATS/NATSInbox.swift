internal import CNATS
internal import Linux

/// The events from the threads of libnats for the program's loop, in order; threads wait for room for their messages.
final class NATSInbox: Sendable {
  enum Event: Sendable {
    case lost(String)
    /// The connection is over.
    case closed
    /// A message for the source with a number.
    case message(Int, NATSMessage)
    /// The source with this number has failed.
    case failed(Int, String)
    /// A reader of the source with this number has begun to read a stream, which may be another one than the daemon has
    /// read before.
    case reading(Int, reader: Int, created: Int64?, isAnother: Bool)
    /// The source with this number has lost its position and must subscribe again.
    case interrupted(Int)
    /// The message with this number is published, or has failed.
    case done(Int, TaskFailure?)
    case note(String)
    /// The library has begun to drop messages of a subject.
    case dropping
  }

  private struct Content {
    var events: [Event] = []
    var messages = 0
    var isClosed = false
  }

  private let wakeup: WakeupPipe
  private let content = Monitor(Content())
  private let mostMessages: Int

  init(mostMessages: Int) throws(Errno) {
    wakeup = try WakeupPipe()
    self.mostMessages = mostMessages
  }

  var number: Int32 { wakeup.number }

  func put(_ event: Event) {
    let isFirst = content.withLock { content in
      content.events.append(event)
      return content.events.count == 1
    }
    if isFirst { wakeup.signal() }
  }

  /// Puts a message once there is room for it; returns false where nothing takes it any more.
  func put(_ source: Int, _ message: NATSMessage) -> Bool {
    let isFirst = content.wait(until: nil) { content -> Bool?? in
      if content.isClosed { return .some(nil) }
      guard content.messages < mostMessages else { return nil }
      content.messages += 1
      content.events.append(.message(source, message))
      return content.events.count == 1
    }
    guard case .some(.some(let isFirst)) = isFirst else { return false }
    if isFirst { wakeup.signal() }
    return true
  }

  /// Takes all events; their messages keep their room until `release`.
  func take() -> [Event] {
    wakeup.drain()
    return content.withLock { content in
      defer { content.events = [] }
      return content.events
    }
  }

  /// Releases the space of as many messages.
  func release(_ count: Int) {
    content.withLock { $0.messages -= count }
    content.ring()
  }

  /// Wakes all waiting threads, which then end.
  func close() {
    content.withLock { $0.isClosed = true }
    content.ring()
  }

  var isClosed: Bool { content.withLock { $0.isClosed } }
}
