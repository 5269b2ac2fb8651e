internal import JSON
internal import WireProtocol

/// A subscription that is followed, and its progress over all connections.
///
/// One that lives on in the same epoch goes on after the last number that came: in the same run of the daemon, or of a
/// durable signal in any. For a name the daemon sees to that (`from`), and for a pattern of which not all values are
/// wanted. Any other pattern is given all that its signals retain: values that had come before are passed over here,
/// and missing ones are found by their numbers.
struct FollowedSubscription {
  let request: SubscribeRequest
  /// Whether no more events can come.
  private(set) var isOver = false
  /// The number of values still to come, if they are counted.
  private var wanted: Int?
  private var progress: [String: SignalProgress] = [:]
  /// The most signals of which a request names the place to go on from: more might not fit into a line.
  private static let mostPlaces = 200
  /// Whether the daemon no longer has all that came since another connection was lost.
  private var hasLost = false

  /// - Parameter countsValues: whether the request's `take` is kept here and not by the daemon.
  init(_ request: SubscribeRequest, countsValues: Bool) {
    var request = request
    if countsValues {
      wanted = request.take?.value
      request.take = nil
    }
    self.request = request
  }

  /// Whether unwanted values are left out, so that missing numbers say nothing.
  private var isThinned: Bool { request.where != nil || request.every != nil }

  mutating func end() { isOver = true }

  /// Whether all that it has heard has numbers that outlive the daemon.
  var outlivesDaemon: Bool { !progress.isEmpty && progress.values.allSatisfy { $0.epoch != nil } }

  /// Forgets the numbers that have ended with a run of the daemon.
  mutating func forgetNumbersOfDaemon() { progress = progress.filter { $0.value.epoch != nil } }

  // MARK: Another connection

  /// The request for another connection.
  ///
  /// - Parameter epoch: The epoch of the run of the daemon that it is with.
  mutating func renewed(in epoch: String) -> SubscribeRequest {
    var request = withoutReplay
    hasLost = false
    if !request.signal.isName, isThinned {
      guard progress.count <= Self.mostPlaces else {
        hasLost = true
        return request
      }
      request.from = .places(
        progress.compactMapValues { place in
          place.last.map { Continuation.Place(seq: UInt64($0), epoch: place.epoch ?? epoch) }
        })
      return request
    }
    guard request.signal.isName, let place = progress[request.signal.text], let last = place.last else {
      return request
    }
    request.from = .after(UInt64(last))
    request.epoch = place.epoch ?? epoch
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
    progress.removeAll()
    return withoutReplay
  }

  /// The retained values have come meanwhile, even if not all of the first ones were wanted.
  private var withoutReplay: SubscribeRequest {
    var request = request
    request.replay = nil
    return request
  }

  /// Takes the numbers that the signals have reached, as the reply tells them.
  ///
  /// - Parameter epochOf: The epoch of each signal's numbers, where they outlive the daemon.
  mutating func begin(_ signals: [JSONObject], epochOf: (JSONObject) -> String?) {
    let covered = Set(signals.map { $0.text("signal") })
    if !request.signal.isName { progress = progress.filter { covered.contains($0.key) } }
    for signal in signals {
      progress[signal.text("signal"), default: SignalProgress()].connect(
        at: Int(exactly: signal.number("seq")) ?? 0, epoch: epochOf(signal))
    }
  }

  /// Takes note that all that was retained has come.
  ///
  /// - Returns: the values that cannot be had any more.
  mutating func settle() -> [Gap] {
    let isSilent = request.signal.isName || isThinned
    return progress.keys.sorted().compactMap { signal in
      let gap = progress[signal]?.settle()
      return isSilent ? nil : gap.map { Gap(signal: signal, from: $0.from, oldest: $0.oldest) }
    }
  }

  /// Whether a pattern had values in the break that cannot be had any more, wanted or not.
  var hasDoubts: Bool { !request.signal.isName && isThinned && hasLost }

  // MARK: Events

  enum Value: Equatable {
    /// It has come before, or no more are wanted.
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

  /// Takes note of missing values that the daemon reported.
  mutating func skip(_ count: Int, of signal: String) {
    hasLost = true
    progress[signal]?.skip(count)
  }

  /// Takes note that a signal's numbers count in another epoch from now on.
  ///
  /// - Parameter epoch: It, if the numbers outlive the daemon.
  mutating func goOn(in epoch: String?, of signal: String) { progress[signal]?.epoch = epoch }

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
  mutating func takeBeginning(of signal: String, at sequence: Int, epoch: String?) {
    progress[signal] = SignalProgress(last: sequence, epoch: epoch)
  }
}
