internal import JSON
internal import WireProtocol

/// A subscription with its progress over all connections.
///
/// In the same epoch it resumes after the last received number: within a run of the daemon, or across runs for a
/// durable signal. For a name, the daemon does that (`from`), and for a pattern with a selection of values. Any other
/// pattern gets all that its signals retain: values received before are skipped here, and missing ones are detected by
/// their numbers.
struct FollowedSubscription {
  let request: SubscribeRequest
  /// True once no more events can arrive.
  private(set) var isOver = false
  /// The number of remaining values, if they are limited.
  private var wanted: Int?
  private var progress: [String: SignalProgress] = [:]
  /// The most signals whose positions a request contains: more might not fit into a line.
  private static let mostPlaces = 200
  /// True if the daemon no longer has all values since the previous connection was lost.
  private var hasLost = false

  /// - Parameter countsValues: True if the request's `take` is counted here and not by the daemon.
  init(_ request: SubscribeRequest, countsValues: Bool) {
    var request = request
    if countsValues {
      wanted = request.take?.value
      request.take = nil
    }
    self.request = request
  }

  /// True if values are selected, so that gaps in their numbers have no meaning.
  private var isThinned: Bool { request.where != nil || request.every != nil }

  mutating func end() { isOver = true }

  /// True if all its signals have numbers that outlive the daemon.
  var outlivesDaemon: Bool { !progress.isEmpty && progress.values.allSatisfy { $0.epoch != nil } }

  /// Removes the numbers that ended with a run of the daemon.
  mutating func discardNumbersOfDaemon() { progress = progress.filter { $0.value.epoch != nil } }

  // MARK: Reconnection

  /// Returns the request for a new connection.
  ///
  /// - Parameter epoch: The epoch of the daemon's present run.
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

  /// Returns the request after the daemon has reported that it no longer has all values since the last number.
  mutating func renewed(withoutThoseBefore oldest: Int) -> (request: SubscribeRequest, gap: Gap) {
    let signal = request.signal.text
    let last = progress[signal]?.last ?? 0
    progress[signal]?.last = oldest - 1
    return (withoutReplay, Gap(signal: signal, from: last, oldest: oldest))
  }

  /// Returns the request after the numbers have restarted.
  mutating func renewedFromTheBeginning() -> SubscribeRequest {
    progress.removeAll()
    return withoutReplay
  }

  /// The replay is complete by then, even if it did not include all retained values.
  private var withoutReplay: SubscribeRequest {
    var request = request
    request.replay = nil
    return request
  }

  /// Records the current numbers of the signals from the reply.
  ///
  /// - Parameter epochOf: Returns the epoch of a signal's numbers if they outlive the daemon.
  mutating func begin(_ signals: [JSONObject], epochOf: (JSONObject) -> String?) {
    let covered = Set(signals.map { $0.text("signal") })
    if !request.signal.isName { progress = progress.filter { covered.contains($0.key) } }
    for signal in signals {
      progress[signal.text("signal"), default: SignalProgress()].connect(
        at: Int(exactly: signal.number("seq")) ?? 0, epoch: epochOf(signal))
    }
  }

  /// Notes that all retained values have been received.
  ///
  /// - Returns: The values that are lost.
  mutating func settle() -> [Gap] {
    let isSilent = request.signal.isName || isThinned
    return progress.keys.sorted().compactMap { signal in
      let gap = progress[signal]?.settle()
      return isSilent ? nil : gap.map { Gap(signal: signal, from: $0.from, oldest: $0.oldest) }
    }
  }

  /// True if a pattern has lost values during the interruption that may or may not have been selected.
  var hasDoubts: Bool { !request.signal.isName && isThinned && hasLost }

  // MARK: Events

  enum Value: Equatable {
    /// A duplicate, or beyond the number of wanted values.
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

  /// Records missing values that the daemon has reported.
  mutating func skip(_ count: Int, of signal: String) {
    hasLost = true
    progress[signal]?.skip(count)
  }

  /// Records a new epoch of a signal's numbers.
  ///
  /// - Parameter epoch: The epoch, if the numbers outlive the daemon.
  mutating func resume(in epoch: String?, of signal: String) { progress[signal]?.epoch = epoch }

  /// Records a number up to which there are no missing values.
  mutating func reach(_ sequence: Int, of signal: String) { progress[signal]?.reach(sequence) }

  /// Records a signal's ending.
  ///
  /// - Returns: `false` if it was known.
  mutating func takeEnding(of signal: String) -> Bool {
    if isOver || progress[signal]?.hasEnded == true { return false }
    progress[signal, default: SignalProgress()].hasEnded = true
    return true
  }

  /// Records that a pattern covers a signal that is new or has restarted.
  mutating func takeBeginning(of signal: String, at sequence: Int, epoch: String?) {
    progress[signal] = SignalProgress(last: sequence, epoch: epoch)
  }
}
