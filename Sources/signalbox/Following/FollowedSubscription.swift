internal import JSON
internal import WireProtocol

/// One of the subscriptions that are followed: what has come of it so far, over all connections.
///
/// One that lives on in the same run of the daemon goes on after the last number that came. For a name the daemon sees to
/// that (`from`). A pattern is given all that its signals retain; what had come before is passed over here, and what is
/// missing is found by its numbers.
struct FollowedSubscription {
  let request: SubscribeRequest
  /// Whether nothing can come of it any more.
  private(set) var isOver = false
  /// How many values are still to come, where they are counted.
  private var wanted: Int?
  private var progress: [String: SignalProgress] = [:]

  /// - Parameter countsValues: whether the request's `take` is kept here and not by the daemon.
  init(_ request: SubscribeRequest, countsValues: Bool) {
    var request = request
    if countsValues {
      wanted = request.take?.value
      request.take = nil
    }
    self.request = request
  }

  /// Whether values are left out since nobody wants them, so that missing numbers say nothing.
  private var isThinned: Bool { request.where != nil || request.every != nil }

  mutating func end() { isOver = true }

  /// Forgets the numbers of a run of the daemon that is over.
  mutating func forgetNumbers() { progress.removeAll() }

  // MARK: Another connection

  /// What to ask for on another connection.
  func renewed(in epoch: String) -> SubscribeRequest {
    var request = withoutReplay
    guard request.signal.isName, let last = progress[request.signal.text]?.last else { return request }
    request.from = UInt64(last)
    request.epoch = epoch
    return request
  }

  /// The same where the daemon has not got everything that came after the last number.
  mutating func renewed(withoutThoseBefore oldest: Int) -> (request: SubscribeRequest, gap: Gap) {
    let signal = request.signal.text
    let last = progress[signal]?.last ?? 0
    progress[signal]?.last = oldest - 1
    return (withoutReplay, Gap(signal: signal, from: last, oldest: oldest))
  }

  /// The same where the numbers have begun anew.
  mutating func renewedFromTheBeginning() -> SubscribeRequest {
    forgetNumbers()
    return withoutReplay
  }

  /// What is retained has come meanwhile, however much of what was there at first was wanted.
  private var withoutReplay: SubscribeRequest {
    var request = request
    request.replay = nil
    return request
  }

  /// Takes the numbers that the signals have come to, as the reply tells them.
  mutating func begin(_ signals: [JSONObject]) {
    for signal in signals {
      progress[signal.text("signal"), default: SignalProgress()].connect(at: Int(exactly: signal.number("seq")) ?? 0)
    }
  }

  /// Takes note that all that was retained has come.
  ///
  /// - Returns: what could be had no more.
  mutating func settle() -> [Gap] {
    let isSilent = request.signal.isName || isThinned
    return progress.keys.sorted().compactMap { signal in
      let gap = progress[signal]?.settle()
      return isSilent ? nil : gap.map { Gap(signal: signal, from: $0.from, oldest: $0.oldest) }
    }
  }

  /// Whether a pattern had values in the break of which it cannot be known whether they are still there.
  var hasDoubts: Bool { !request.signal.isName && isThinned && progress.values.contains(where: \.hasMoved) }

  // MARK: Events

  enum Value: Equatable {
    /// It has come before, or nobody wants any more.
    case superfluous
    case wanted(after: Gap?)
  }

  mutating func takeValue(of signal: String, _ sequence: Int) -> Value {
    var place = progress[signal] ?? SignalProgress()
    guard !isOver, sequence > place.floor ?? 0 else { return .superfluous }
    let missed = place.take(sequence)
    progress[signal] = place
    if let left = wanted {
      wanted = left - 1
      isOver = left == 1
    }
    return .wanted(after: isThinned ? nil : missed.map { Gap(signal: signal, from: $0.from, oldest: $0.oldest) })
  }

  /// Takes note that values are missing, of which the daemon has told.
  mutating func skip(_ count: Int, of signal: String) { progress[signal]?.skip(count) }

  /// Takes note of a number up to which everything has come.
  mutating func reach(_ sequence: Int, of signal: String) { progress[signal]?.reach(sequence) }

  /// Takes note of a signal's ending.
  ///
  /// - Returns: whether it is news.
  mutating func takeEnding(of signal: String) -> Bool {
    if isOver || progress[signal]?.hasEnded == true { return false }
    progress[signal, default: SignalProgress()].hasEnded = true
    return true
  }

  /// Takes note that a pattern covers a signal that is new, or was started anew.
  mutating func takeBeginning(of signal: String, at sequence: Int) {
    progress[signal] = SignalProgress(last: sequence)
  }
}
