/// The progress of a subscription over all its connections: where it resumes, what is a duplicate, and what is lost.
///
/// Each connection begins with `hello` and `subscribe`, for which `places` returns the positions to resume from. A `ping`
/// after the answer to `subscribe` is answered behind all retained values: the subscription is *settled* then.
/// `clients/README.md` has the rules.
package struct SubscriptionProgress: Sendable {
  /// The position in the values of a signal.
  package struct Place: Sendable, Equatable {
    package let seq: Int
    package let epoch: String

    package init(seq: Int, epoch: String) {
      self.seq = seq
      self.epoch = epoch
    }
  }

  /// A signal in the answer to `subscribe`.
  package struct Start {
    let signal: String
    let seq: Int
    let epoch: String?

    /// - Parameter epoch: The epoch of its numbers; `nil` if it is that of the answer.
    package init(_ signal: String, seq: Int, epoch: String?) {
      self.signal = signal
      self.seq = seq
      self.epoch = epoch
    }
  }

  /// The difference between what was delivered and what there is, which no event of the daemon reports.
  package enum Notice: Sendable, Equatable {
    /// The values after one number and before another are lost; 0 if the latter is unknown.
    case expired(_ signal: String, after: Int, oldest: Int)
    /// The numbers start over: values before this may be missing.
    case restarted(_ signal: String, from: String, to: String)
    /// A pattern covers a signal that it did not cover on the connection before.
    case subscribed(_ signal: String, Place)
    /// A pattern no longer covers a signal, whose end was not delivered.
    case removed(_ signal: String)
  }

  /// The consequence of a refused `subscribe`.
  package enum Refusal: Sendable {
    /// The positions are of no use: subscribe without them.
    case subscribeAgain
    /// Another connection may be accepted.
    case reconnect
    /// The state of the graph is not known yet: another connection is accepted later.
    case notYet
    /// The signal has gone since it was subscribed to.
    case removed
    case final
  }

  /// The decision on a value.
  package enum Delivery: Sendable, Equatable {
    /// A duplicate, or beyond the number of wanted values.
    case skip
    /// A value to be delivered, after the loss before it, if there is one.
    case deliver(after: Notice?)
  }

  /// The decision on the end of a signal.
  package enum Ending: Sendable, Equatable {
    /// It is known, or is that of the daemon.
    case skip
    case deliver
    /// The signal has not ended, but nothing follows for it on this connection, which may stay open.
    case reconnect
  }

  private struct Signal {
    var epoch: String
    /// The last number received; `nil` while all retained values may still arrive.
    var seq: Int?
    /// Without a value so far: the number above which none may be missing.
    var floor = 0
    var hasEnded = false

    var base: Int { max(seq ?? 0, floor) }
    var isKnown: Bool { seq != nil || floor > 0 }
  }

  private let isPattern: Bool
  /// True if values are filtered, so that missing numbers are not losses.
  package let isThinned: Bool
  private let replay: Int?
  /// The number of values that are still wanted, if they are limited.
  package private(set) var wanted: Int?
  private var signals: [String: Signal]
  /// True once no event can follow.
  package private(set) var isOver = false
  /// True once the daemon has accepted the subscription, on any connection.
  package private(set) var isAccepted = false
  /// True if there is a position to resume from.
  package private(set) var hasBegun: Bool
  /// The epoch of the daemon, which applies to numbers without one of their own.
  private var epoch = ""
  private var hasFrom = false
  private var isResumed = false
  private var isSettled = false
  private var oldest = 0
  private var starts: [Start] = []

  /// - Parameters:
  ///   - replay: The number of retained values that are requested; `nil` for all.
  ///   - wanted: The number of values after which it ends, if it is counted here and not by the daemon.
  ///   - places: The positions of an earlier run of the program.
  package init(isPattern: Bool, isThinned: Bool, replay: Int?, wanted: Int?, places: [String: Place] = [:]) {
    self.isPattern = isPattern
    self.isThinned = isThinned
    self.replay = replay
    self.wanted = wanted
    signals = places.mapValues { Signal(epoch: $0.epoch, seq: $0.seq) }
    hasBegun = !places.isEmpty
  }

  /// True while the values of a resumed subscription may contain what was lost in between.
  package var isCatchingUp: Bool { isResumed && !isSettled }

  package mutating func end() { isOver = true }

  // MARK: Connections

  /// Notes the epoch of the daemon.
  package mutating func connect(to epoch: String) { self.epoch = epoch }

  /// True if all its signals have numbers that do not belong to this epoch of a daemon.
  package func outlives(_ epoch: String) -> Bool { !signals.isEmpty && signals.values.allSatisfy { $0.epoch != epoch } }

  /// Discards the numbers of an epoch that is over.
  package mutating func discard(_ epoch: String) { signals = signals.filter { $0.value.epoch != epoch } }

  /// Returns the positions to resume from on a new connection; none if there are more than a request should contain.
  package mutating func places(atMost most: Int = .max) -> [String: Place] {
    oldest = 0
    let places = signals.compactMapValues { signal in signal.seq.map { Place(seq: $0, epoch: signal.epoch) } }
    hasFrom = hasBegun && !places.isEmpty && places.count <= most
    return hasFrom ? places : [:]
  }

  /// Begins with the answer to `subscribe`.
  package mutating func begin(_ starts: [Start], epoch answered: String?) -> [Notice] {
    var notices: [Notice] = []
    (isResumed, hasBegun, isSettled, isAccepted) = (hasBegun, true, false, true)
    self.starts = starts
    for start in starts {
      let (name, seq, epoch) = (start.signal, start.seq, start.epoch ?? answered ?? epoch)
      if var signal = signals[name] {
        if !hasFrom, signal.epoch != epoch || seq < signal.base {
          signals[name] = Signal(epoch: epoch, floor: seq)
          notices.append(.restarted(name, from: signal.epoch, to: epoch))
        } else if isResumed, !hasFrom, isThinned, seq > signal.base {
          notices.append(.expired(name, after: signal.base, oldest: oldest))
          // Another disconnection must not report it again.
          signal.seq = max(signal.base, oldest - 1)
          signals[name] = signal
        }
      } else {
        signals[name] = firstState(seq, epoch)
        if isResumed, isPattern { notices.append(.subscribed(name, Place(seq: seq, epoch: epoch))) }
      }
    }
    let covered = Set(starts.map(\.signal))
    for name in signals.keys.sorted() where !covered.contains(name) {
      if signals.removeValue(forKey: name)?.hasEnded == false { notices.append(.removed(name)) }
    }
    return notices
  }

  private func firstState(_ seq: Int, _ epoch: String) -> Signal {
    if seq == 0 || replay == 0 { return Signal(epoch: epoch, seq: seq) }
    guard let replay, !isThinned, !isResumed else { return Signal(epoch: epoch, floor: seq) }
    return Signal(epoch: epoch, seq: max(0, seq - replay), floor: seq)
  }

  /// Decides what follows from the refusal of a `subscribe`.
  ///
  /// - Parameters:
  ///   - code: The code of the error.
  ///   - oldest: The first number that is available in the same epoch, if the error has one.
  package mutating func refuse(_ code: String, oldest: Int?) -> Refusal {
    switch code {
    case "expired" where hasFrom, "bad_request" where hasFrom, "too_long" where hasFrom:
      // Values that were received are skipped, and numbers show the missing ones.
      self.oldest = oldest ?? 0
      hasFrom = false
      return .subscribeAgain
    case "too_many", "shutting_down": return .reconnect
    case "unavailable", "storage": return .notYet
    case "unknown_signal" where isAccepted, "denied" where isAccepted:
      isOver = true
      return .removed
    default:
      isOver = true
      return .final
    }
  }

  /// Notes that all retained values have arrived.
  package mutating func settle() -> [Notice] {
    var notices: [Notice] = []
    isSettled = true
    for start in starts {
      guard var signal = signals[start.signal] else { continue }
      if signal.isKnown, start.seq > signal.base, !isThinned {
        notices.append(.expired(start.signal, after: signal.base, oldest: start.seq + 1))
      }
      signal.seq = max(start.seq, signal.seq ?? 0)
      signal.floor = 0
      signals[start.signal] = signal
    }
    return notices
  }

  // MARK: Events

  /// The epoch of a signal's numbers.
  package func epoch(of signal: String) -> String { signals[signal]?.epoch ?? epoch }

  /// Takes the number of a value, and decides whether it is delivered.
  package mutating func takeValue(_ seq: Int, of name: String) -> Delivery {
    if isOver { return .skip }
    var signal = signals[name] ?? Signal(epoch: epoch)
    if let last = signal.seq, seq <= last { return .skip }
    let isGap = !isThinned && signal.isKnown && seq > signal.base + 1
    let loss = isGap ? Notice.expired(name, after: signal.base, oldest: seq) : nil
    (signal.seq, signal.floor, signal.hasEnded) = (seq, 0, false)
    signals[name] = signal
    if let left = wanted {
      wanted = left - 1
      isOver = left == 1
    }
    return .deliver(after: loss)
  }

  /// Takes the end of a signal, and decides whether it is delivered.
  package mutating func takeEnding(of name: String, reason: String?) -> Ending {
    // The signal has not ended with the daemon: the next one resumes it.
    if isOver || reason == "shutting_down" || signals[name]?.hasEnded == true { return .skip }
    if reason == "restarted" { return .reconnect }
    // A removed signal starts over if it returns.
    if reason == nil { signals[name, default: Signal(epoch: epoch)].hasEnded = true } else { signals[name] = nil }
    isOver = !isPattern
    return .deliver
  }

  /// Takes a number of dropped values.
  ///
  /// - Returns: True if they are to be reported; those among the retained values are counted when all have arrived.
  package mutating func takeLag(_ dropped: Int, of name: String) -> Bool {
    guard var signal = signals[name] else { return true }
    defer { signals[name] = signal }
    guard let seq = signal.seq else {
      signal.floor = 0
      return true
    }
    signal.seq = seq + dropped
    return !isCatchingUp || seq + dropped > signal.floor
  }

  /// Takes another epoch of a signal's numbers.
  ///
  /// - Returns: The restart of the numbers, unless they continue.
  package mutating func takeEpoch(_ epoch: String, of name: String) -> Notice? {
    let before = self.epoch(of: name)
    if isCatchingUp {
      signals[name] = Signal(epoch: epoch, floor: starts.first { $0.signal == name }?.seq ?? 0)
      return .restarted(name, from: before, to: epoch)
    }
    signals[name, default: Signal(epoch: epoch)].epoch = epoch
    return nil
  }

  /// Takes the beginning of a signal that a pattern covers.
  ///
  /// - Returns: Its position.
  package mutating func takeBeginning(of name: String, at seq: Int, epoch own: String?) -> Place {
    let place = Place(seq: seq, epoch: own ?? epoch)
    signals[name] = Signal(epoch: place.epoch, seq: seq)
    return place
  }

  /// Takes the number of a quiet signal, up to which no value is missing.
  package mutating func takeHeartbeat(_ seq: Int, of name: String) {
    if isSettled { signals[name, default: Signal(epoch: epoch)].seq = max(signals[name]?.seq ?? 0, seq) }
  }
}
