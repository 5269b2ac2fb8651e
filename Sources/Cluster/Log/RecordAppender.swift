internal import Signals

/// The append of one record: its bytes are repeated until their fate is known.
///
/// A position is never given other bytes while an earlier copy may still arrive: what was refused or not answered may be
/// stored all the same.
struct RecordAppender {
  /// A record under way.
  struct Attempt: Equatable {
    let number: Int
    let subject: LogSubject
    let bytes: [UInt8]
    /// The sequence behind which it belongs.
    let after: UInt64
    var pause: Duration
    /// The end of the log, as the last refusal tells it.
    var end: UInt64?

    var place: UInt64 { after + 1 }
    /// The record at its place.
    var message: StoredMessage { StoredMessage(sequence: place, bytes: bytes) }
  }

  private enum State: Equatable {
    case idle
    /// A copy was sent.
    case sent(Attempt)
    /// The next copy waits for its time.
    case pausing(Attempt)
    /// A copy was refused: the record at its place decides whether an earlier copy was stored.
    case looking(Attempt)
    /// Nothing was found at its place: the log may end before it, or have been purged behind it.
    case measuring(Attempt)
  }

  enum Fate: Equatable {
    case stored(StoredMessage)
    /// Another record stands at the place, or stood there before a purge: this one never will.
    case superseded(by: StoredMessage?, end: UInt64?)
    /// The log ends before the place, as far as a server knows; the record is still under way.
    case beyondEnd(UInt64)
  }

  struct Pauses: Equatable {
    static let answer = Duration.seconds(1)
    static let first = Duration.milliseconds(50)
    static let longest = Duration.milliseconds(500)
  }

  private var state = State.idle
  private var lastNumber = 0
  private(set) var deadline = Instant.distantFuture

  var isIdle: Bool { state == .idle }

  // MARK: Events

  mutating func append(_ bytes: [UInt8], _ subject: LogSubject, after: UInt64, at now: Instant) -> [StreamAction] {
    lastNumber += 1
    let attempt = Attempt(
      number: lastNumber, subject: subject, bytes: bytes, after: after, pause: Pauses.first, end: nil)
    return send(attempt, at: now)
  }

  /// Gives the record up; the log may contain it later.
  mutating func abandon() {
    state = .idle
    deadline = .distantFuture
  }

  mutating func replied(to number: Int, _ reply: StreamReply, at now: Instant) -> ([StreamAction], Fate?) {
    guard let attempt = underway, attempt.number == number else { return ([], nil) }
    switch (state, reply) {
    case (_, .stored(attempt.place)):
      abandon()
      return ([], .stored(attempt.message))
    case (.sent, .refused(let end)), (.pausing, .refused(let end)):
      var refused = attempt
      refused.end = end
      return (look(refused, at: now), nil)
    case (.sent, .stored):
      return (look(attempt, at: now), nil)
    case (.looking, .message(let message)) where message.sequence == attempt.place:
      abandon()
      return ([], message.bytes == attempt.bytes ? .stored(message) : .superseded(by: message, end: attempt.end))
    case (.looking, .missing):
      state = .measuring(attempt)
      deadline = now + Pauses.answer
      return ([.request(id(attempt), .info)], nil)
    case (.measuring, .info(let first, let last)):
      if first > attempt.place {
        abandon()
        return ([], .superseded(by: nil, end: last))
      }
      pause(attempt, at: now)
      return ([], last < attempt.after ? .beyondEnd(last) : nil)
    case (.sent, .unavailable), (.looking, .unavailable), (.measuring, .unavailable):
      pause(attempt, at: now)
      return ([], nil)
    default: return ([], nil)
    }
  }

  /// Sends another copy at once: what was under way went with a lost connection.
  mutating func connected(at now: Instant) -> [StreamAction] {
    guard let attempt = underway else { return [] }
    var fresh = attempt
    fresh.pause = Pauses.first
    return send(fresh, at: now)
  }

  mutating func timePassed(at now: Instant) -> [StreamAction] {
    guard now >= deadline, let attempt = underway else { return [] }
    if case .pausing = state { return send(attempt, at: now) }
    pause(attempt, at: now)
    return []
  }

  // MARK: Steps

  private var underway: Attempt? {
    switch state {
    case .idle: nil
    case .sent(let attempt), .pausing(let attempt), .looking(let attempt), .measuring(let attempt): attempt
    }
  }

  private func id(_ attempt: Attempt) -> RequestID { RequestID(part: .appending, number: attempt.number) }

  private mutating func send(_ attempt: Attempt, at now: Instant) -> [StreamAction] {
    state = .sent(attempt)
    deadline = now + Pauses.answer
    return [.request(id(attempt), .append(attempt.subject, attempt.bytes, after: attempt.after))]
  }

  private mutating func look(_ attempt: Attempt, at now: Instant) -> [StreamAction] {
    state = .looking(attempt)
    deadline = now + Pauses.answer
    return [.request(id(attempt), .message(at: attempt.place))]
  }

  private mutating func pause(_ attempt: Attempt, at now: Instant) {
    var next = attempt
    next.pause = min(attempt.pause * 2, Pauses.longest)
    state = .pausing(next)
    deadline = now + attempt.pause
  }
}
