internal import Base
package import Signals

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
    /// Sends to be transmitted in one request.
    case transmit([ForwardedSend], term: UInt64)
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
    /// The sends up to a number are under way to the owner of a term, which takes several in one request or not.
    case sending(term: UInt64, sent: UInt64, takesList: Bool)
  }

  /// The bounds of what waits.
  package static let mostSends = 1_024
  package static let mostBytes = 4 << 20
  /// The bounds of what is transmitted in one request; a longer send is transmitted alone.
  package static let mostSendsAtOnce = 256
  package static let mostBytesAtOnce = 64 << 10
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
  /// True after the owner has asked to begin again: nothing new is sent until then.
  private var isPausing = false
  /// The number of the oldest send without an answer; one more than the last number if all are answered.
  private var oldest: UInt64 = 1
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

  /// Takes a send of a client, which `flush` transmits.
  ///
  /// - Returns: Its number, with which its end is reported.
  package mutating func send(_ request: [UInt8], message: String?, at now: Instant) -> UInt64 {
    lastNumber += 1
    entries.append(
      Entry(number: lastNumber, message: message ?? "\(boot)-\(lastNumber)", request: request, since: now))
    bytes += request.count
    return lastNumber
  }

  /// Transmits what has been taken: the sends of a wakeup together.
  package mutating func flush(at now: Instant) -> [Output] {
    if case .sending(_, let sent, _) = state, sent == lastNumber { return [] }
    return transmit(at: now)
  }

  /// Takes note of the owner; everything is sent to it again.
  package mutating func ownerChanged(term: UInt64?, at now: Instant) -> [Output] {
    guard let term else {
      state = .waiting
      stopRepeating()
      return []
    }
    return term == self.term ? [] : sendAgain(term: term, at: now)
  }

  package mutating func answered(_ list: AnswerList, term: UInt64, at now: Instant) -> [Output] {
    var (ended, isAnswered, hasMoved) = ([Output](), false, false)
    for member in list.members {
      guard term == self.term, let first = entries.first?.number, member.number >= first else { continue }
      switch member.answer {
      case .again: isPausing = true
      case .moved: hasMoved = true
      case .kept, .refused:
        let offset = Int(member.number - first)
        guard offset < entries.count else { continue }
        entries[offset].answer = entries[offset].answer ?? member.answer
        isAnswered = true
        if case .trying = state { state = .sending(term: term, sent: member.number, takesList: list.isList) }
        ended += settle(at: now)
      }
    }
    if hasMoved { return ended + ownerChanged(term: nil, at: now) }
    if isPausing, !entries.isEmpty {
      // Not at once: an owner that is still reading answers so to each send.
      repetition = min(repetition, now + Self.pause)
    } else if isAnswered, !entries.isEmpty {
      repetition = now + Self.answerTime
    }
    return isAnswered ? ended + transmit(at: now) : ended
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
    case .trying(let term), .sending(let term, _, _): term
    }
  }

  private mutating func sendAgain(term: UInt64, at now: Instant) -> [Output] {
    state = .trying(term: term)
    stopRepeating()
    return transmit(at: now)
  }

  private mutating func stopRepeating() { (repetition, isPausing) = (.distantFuture, false) }

  /// Sends what is not under way: one send to an owner that has not answered yet, so that thousands are not repeated
  /// while it begins.
  private mutating func transmit(at now: Instant) -> [Output] {
    guard let term, !isPausing, let first = entries.first?.number else { return [] }
    oldest = max(oldest, first)
    while oldest <= lastNumber, entries[Int(oldest - first)].answer != nil { oldest += 1 }
    guard oldest <= lastNumber else { return [] }
    var numbers = oldest..<oldest + 1
    var takesList = false
    if case .sending(_, let sent, let list) = state {
      numbers = max(sent, oldest - 1) + 1..<lastNumber + 1
      state = .sending(term: term, sent: lastNumber, takesList: list)
      takesList = list
    } else if repetition < .distantFuture {
      return []
    }
    if repetition == .distantFuture { repetition = now + Self.answerTime }
    return batches(numbers, first: first, together: takesList).map { .transmit($0, term: term) }
  }

  /// Returns sends in the groups in which they are transmitted.
  private func batches(_ numbers: Range<UInt64>, first: UInt64, together: Bool) -> [[ForwardedSend]] {
    var batches: [[ForwardedSend]] = []
    var size = 0
    for number in numbers {
      let entry = entries[Int(number - first)]
      let send = ForwardedSend(number: number, first: oldest, message: entry.message, request: entry.request)
      size += entry.request.count
      if together, let last = batches.last, last.count < Self.mostSendsAtOnce, size <= Self.mostBytesAtOnce {
        batches[batches.count - 1].append(send)
      } else {
        batches.append([send])
        size = entry.request.count
      }
    }
    return batches
  }

  /// Ends the oldest sends that are answered, in their order.
  private mutating func settle(at now: Instant) -> [Output] {
    var outputs: [Output] = []
    while let first = entries.first, let outcome = outcome(of: first) {
      if case .kept(_, _, let sequence) = first.answer, let told, told < sequence { break }
      outputs.append(.ended(number: first.number, outcome))
      removeFirst()
    }
    if entries.isEmpty { stopRepeating() }
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
    if entries.isEmpty { stopRepeating() }
  }
}
