internal import Base
package import ReactiveCore

/// The sends of one node's clients to one log, in order, until each is answered.
///
/// They are repeated to whoever owns the log. The order is kept since an owner takes number n + 1 after n only; that
/// each is committed once follows from its message ID.
package struct SendLink {
  /// The way in which a send has ended.
  package enum Outcome: Equatable, Sendable {
    case kept(value: UInt64?, isDuplicate: Bool)
    case refused(code: String, message: String)
    /// No answer came in time: it is not known whether the send is kept.
    case unknown
  }

  package enum Output: Equatable, Sendable {
    case transmit(ForwardedSend, term: UInt64)
    case ended(number: UInt64, Outcome)
  }

  private struct Entry {
    let number: UInt64
    let message: String
    let request: [UInt8]
    let since: Instant
    var answer: SendAnswer?
  }

  private enum State: Equatable {
    /// No owner is known.
    case waiting
    /// The oldest send without an answer is under way to the owner of a term, which has answered nothing yet.
    case trying(term: UInt64)
    /// The sends up to a number are under way to the owner of a term.
    case sending(term: UInt64, sent: UInt64)
  }

  /// The bounds of what waits.
  package static let mostSends = 1_024
  package static let mostBytes = 4 << 20
  /// The time after which a send without an answer ends.
  package static let patience = Duration.seconds(10)
  private static let answerTime = Duration.seconds(1)
  private static let pause = Duration.milliseconds(50)

  private let boot: String
  private var state = State.waiting
  private var entries = FirstInFirstOut<Entry>()
  private var bytes = 0
  private var lastNumber: UInt64 = 0
  /// The time at which everything is sent again, unless an answer comes.
  private var repetition = Instant.distantFuture
  /// The last sequence that this node has told its clients; `nil` while it does not follow the log.
  ///
  /// Answers wait for it, so that a client receives the events of its send first.
  private var told: UInt64?

  /// - Parameter boot: The process of this node, for message IDs of its own.
  package init(boot: String) { self.boot = boot }

  /// True if clients have to wait with further sends.
  package var isBehind: Bool { entries.count >= Self.mostSends || bytes >= Self.mostBytes }

  package var deadline: Instant {
    min(repetition, entries.first.map { $0.since + Self.patience } ?? .distantFuture)
  }

  // MARK: Events

  /// Takes a send of a client.
  ///
  /// - Returns: Its number, with which its end is reported.
  package mutating func send(
    _ request: [UInt8], message: String?, at now: Instant
  ) -> (number: UInt64, outputs: [Output]) {
    lastNumber += 1
    entries.append(
      Entry(number: lastNumber, message: message ?? "\(boot)-\(lastNumber)", request: request, since: now))
    bytes += request.count
    return (lastNumber, transmit(at: now))
  }

  /// Takes note of the owner; everything is sent to it again.
  package mutating func ownerChanged(term: UInt64?, at now: Instant) -> [Output] {
    guard let term else {
      state = .waiting
      repetition = .distantFuture
      return []
    }
    return term == self.term ? [] : sendAgain(term: term, at: now)
  }

  package mutating func answered(_ number: UInt64, _ answer: SendAnswer, term: UInt64, at now: Instant) -> [Output] {
    guard term == self.term, let first = entries.first?.number, number >= first else { return [] }
    switch answer {
    case .again:
      // Not at once: an owner that is still reading answers so to each send.
      repetition = min(repetition, now + Self.pause)
      return []
    case .moved: return ownerChanged(term: nil, at: now)
    case .kept, .refused:
      let offset = Int(number - first)
      guard offset < entries.count else { return [] }
      entries[offset].answer = entries[offset].answer ?? answer
      repetition = now + Self.answerTime
      let ended = settle(at: now)
      if case .trying = state { state = .sending(term: term, sent: number) }
      return ended + transmit(at: now)
    }
  }

  /// Takes note of the last sequence that clients were told, or that the node does not follow the log.
  package mutating func told(_ sequence: UInt64?, at now: Instant) -> [Output] {
    told = sequence
    return settle(at: now)
  }

  package mutating func timePassed(at now: Instant) -> [Output] {
    var outputs: [Output] = []
    while let first = entries.first, now >= first.since + Self.patience {
      outputs.append(.ended(number: first.number, outcome(of: first) ?? .unknown))
      removeFirst()
    }
    if now >= repetition, let term { outputs += sendAgain(term: term, at: now) }
    return outputs
  }

  // MARK: Steps

  private var term: UInt64? {
    switch state {
    case .waiting: nil
    case .trying(let term), .sending(let term, _): term
    }
  }

  private mutating func sendAgain(term: UInt64, at now: Instant) -> [Output] {
    state = .trying(term: term)
    repetition = .distantFuture
    return transmit(at: now)
  }

  /// Sends what is not under way: one send to an owner that has not answered yet, so that thousands are not repeated
  /// while it begins.
  private mutating func transmit(at now: Instant) -> [Output] {
    guard let term, let first = entries.first?.number,
      let oldest = (first...lastNumber).first(where: { entries[Int($0 - first)].answer == nil })
    else { return [] }
    let numbers: Range<UInt64>
    if case .sending(_, let sent) = state {
      numbers = max(sent, oldest - 1) + 1..<lastNumber + 1
      state = .sending(term: term, sent: lastNumber)
    } else {
      numbers = oldest..<(repetition == .distantFuture ? oldest + 1 : oldest)
    }
    if repetition == .distantFuture { repetition = now + Self.answerTime }
    return numbers.map { number in
      let entry = entries[Int(number - first)]
      return .transmit(
        ForwardedSend(number: number, first: oldest, message: entry.message, request: entry.request), term: term)
    }
  }

  /// Ends the oldest sends that are answered, in their order.
  private mutating func settle(at now: Instant) -> [Output] {
    var outputs: [Output] = []
    while let first = entries.first, let outcome = outcome(of: first) {
      if case .kept(_, _, let sequence) = first.answer, let told, told < sequence { break }
      outputs.append(.ended(number: first.number, outcome))
      removeFirst()
    }
    if entries.isEmpty { repetition = .distantFuture }
    return outputs
  }

  private func outcome(of entry: Entry) -> Outcome? {
    switch entry.answer {
    case .kept(let value, let isDuplicate, _): .kept(value: value, isDuplicate: isDuplicate)
    case .refused(let code, let message): .refused(code: code, message: message)
    case .again, .moved, nil: nil
    }
  }

  private mutating func removeFirst() {
    if let entry = entries.popFirst() { bytes -= entry.request.count }
    if entries.isEmpty { repetition = .distantFuture }
  }
}
