import GraphEngine
import GraphModel
import GraphTools
import JSON
import Signals
package import StateLog

/// The values of durable signals over a period of the past, the last one of each interval and perhaps its extremes.
///
/// The log is replayed from snapshot to snapshot, the newest part first: if the time for it is up, the oldest values are
/// missing.
package struct PastValues {
  /// A value or an end of a signal.
  package struct Sample {
    package let signal: String
    /// Since 1970.
    package let microseconds: Int64
    let event: SignalEvent
    /// The number of a value; `nil` for an end.
    fileprivate let sequence: UInt64?

    fileprivate init(_ event: SignalEvent, of signal: String, at microseconds: Int64) {
      (self.signal, self.microseconds, self.event) = (signal, microseconds, event)
      switch event {
      case .next(_, let sequence): self.sequence = sequence
      case .ended: sequence = nil
      }
    }

    /// The line that a subscriber would have received.
    package var line: [UInt8] {
      SimulatedEvent(time: .moment(microseconds: microseconds), signal: signal, event: event).line
    }

    /// True if it is the same value as another one.
    fileprivate func isSame(as other: Sample) -> Bool { sequence != nil && sequence == other.sequence }

    fileprivate var number: Double? { if case .next(let value, _) = event { value.plotted } else { nil } }
  }

  /// A time without records, which ends with a start of the daemon.
  package struct Pause: Equatable {
    package let from: Int64
    package let until: Int64
  }

  /// The reason for beginning after the start of the period.
  package enum Shortage: String, Equatable {
    /// The log does not reach back further.
    case history
    /// The time for the replay was up.
    case time
  }

  /// The shortest pause to report, in microseconds: a restart that loses nothing takes less.
  private static let shortestPause: Int64 = 2_000_000

  private let folder: FolderReader
  private let times: ClosedRange<Int64>
  private let thinning: Thinning
  private let isOver: () -> Bool
  private var marks: [StateStatistics.Mark] = []

  /// In the order of time.
  package private(set) var samples: [Sample] = []
  package private(set) var pauses: [Pause] = []
  /// The time from which on the samples are complete, in microseconds since 1970.
  package private(set) var begins: Int64
  package private(set) var shortage: Shortage?

  /// Replays the log.
  ///
  /// - Parameters:
  ///   - signals: Their full names.
  ///   - times: The period, in microseconds since 1970; the values held at its beginning are included.
  ///   - step: The length of an interval in microseconds; without one, all values are returned.
  ///   - keepsExtremes: True to return the lowest and the highest value of an interval, too.
  ///   - isOver: Returns true when the time for it is up.
  package init(
    of signals: [String], in times: ClosedRange<Int64>, step: Int64?, keepsExtremes: Bool = false,
    from folder: FolderReader,
    until isOver: @escaping () -> Bool = { false }
  ) throws(LookingBack.Refusal) {
    (self.folder, self.times, self.isOver) = (folder, times, isOver)
    thinning = Thinning(step: step, keepsExtremes: keepsExtremes)
    begins = times.lowerBound
    marks = try LookingBack.reading { () throws(StorageError) in try folder.snapshots() }
    guard let first = marks.first else { throw .storage(StorageError(.missing, "the state folder is empty")) }
    if first.time > times.lowerBound { (begins, shortage) = (min(first.time, times.upperBound), .history) }
    try replay(signals)
  }

  private mutating func replay(_ signals: [String]) throws(LookingBack.Refusal) {
    let configurations = signals.map { ($0, PastConfigurations(for: $0)) }
    var found = signals.map { _ in [Sample]() }
    var known: Set<String> = []
    var names: [String] = []
    var later: EntryTime?
    let first = marks.lastIndex { $0.time <= times.lowerBound } ?? 0
    for mark in (first..<marks.count).reversed() where marks[mark].time <= times.upperBound {
      var parts: [Part] = []
      for (signal, configurations) in configurations {
        parts.append(try part(mark, signal, configurations))
        if parts.last?.isCut == true { break }
      }
      if parts.contains(where: \.isCut) {
        begins = mark + 1 < marks.count ? marks[mark + 1].time : times.upperBound
        shortage = parts.contains(where: \.isDeleted) ? .history : .time
        break
      }
      for (index, part) in parts.enumerated() { found[index] = joined(part.samples, found[index]) }
      known.formUnion(parts.filter(\.hasSignal).map(\.signal))
      if names.isEmpty { names = parts.first?.names ?? [] }
      if let part = parts.first {
        if let later { note(from: part.last, until: later) }
        later = try isStart(mark) ? part.first : nil
      }
    }
    if begins < times.upperBound, let missing = signals.first(where: { !known.contains($0) }) {
      names.removeAll { $0 == missing }
      throw .unknown(among: names)
    }
    samples = found.flatMap(\.self).enumerated()
      .sorted { ($0.element.microseconds, $0.offset) < ($1.element.microseconds, $1.offset) }.map(\.element)
    pauses.reverse()
  }

  /// True if a snapshot belongs to a start or a reload of the graphs.
  private func isStart(_ mark: Int) throws(LookingBack.Refusal) -> Bool {
    try LookingBack.reading { () throws(StorageError) in try !folder.hasCommit(marks[mark].number) }
  }

  /// Notes that nothing was recorded, if a start follows.
  ///
  /// At a start the clock of the graphs is set forward by the time that has passed, so that it differs from civil time
  /// as it did at the last entry. While a process runs, the two clocks are read one after the other.
  private mutating func note(from last: EntryTime, until next: EntryTime) {
    let lead = { (time: EntryTime) in time.instant.nanoseconds &- time.microseconds &* 1000 }
    guard lead(last) == lead(next), next.microseconds - last.microseconds >= Self.shortestPause,
      next.microseconds > times.lowerBound, last.microseconds < times.upperBound
    else { return }
    pauses.append(Pause(from: last.microseconds, until: next.microseconds))
  }

  /// Returns the samples of two successive parts; an interval may extend over both.
  private func joined(_ earlier: [Sample], _ later: [Sample]) -> [Sample] {
    guard let last = earlier.last, let first = later.first else { return earlier + later }
    // The value that the later part begins with.
    let earlier = last.isSame(as: first) ? earlier.dropLast() : earlier[...]
    guard let interval = thinning.interval(of: first) else { return earlier + later }
    let start = earlier.lastIndex { thinning.interval(of: $0) != interval }.map { $0 + 1 } ?? 0
    let end = later.firstIndex { thinning.interval(of: $0) != interval } ?? later.count
    var samples = Samples(thinning)
    for sample in earlier[start...] + later[..<end] { samples.add(sample) }
    return earlier[..<start] + samples.all + later[end...]
  }

  /// The rule for the values of an interval.
  private struct Thinning {
    let step: Int64?
    let keepsExtremes: Bool

    /// The interval of a value; `nil` for an end, which is always kept, and without intervals.
    func interval(of sample: Sample) -> Int64? { sample.sequence == nil ? nil : step.map { sample.microseconds / $0 } }
  }

  /// Samples in the order of time, thinned.
  private struct Samples {
    private var thinned: ThinnedValues<Sample>
    private let isThinned: Bool
    private var last: Sample?

    init(_ thinning: Thinning) {
      thinned = ThinnedValues(step: thinning.step ?? 1, keepsExtremes: thinning.keepsExtremes)
      isThinned = thinning.step != nil
    }

    var all: [Sample] { thinned.elements }

    mutating func add(_ sample: Sample) {
      if last?.isSame(as: sample) == true { return }
      last = sample
      if isThinned, sample.sequence != nil {
        thinned.append(sample, at: sample.microseconds, number: sample.number)
      } else {
        thinned.append(apart: sample)
      }
    }
  }

  /// All of it as lines, in the order of time, behind its beginning.
  package var lines: [[UInt8]] {
    let text = { (time: Int64) in JSONValue.string(LookingBack.text(time)) }
    var begin: JSONObject = ["event": "begin", "at": text(begins)]
    if let shortage { begin["shortage"] = .string(shortage.rawValue) }
    var lines = samples.map { ($0.microseconds, $0.line) }
    for pause in pauses {
      let line: JSONObject = ["event": "pause", "at": text(pause.from), "until": text(pause.until)]
      let place = lines.firstIndex { $0.0 > pause.from } ?? lines.count
      lines.insert((pause.from, JSONValue.object(line).json), at: place)
    }
    return [JSONValue.object(begin).json] + lines.map(\.1)
  }

  // MARK: Parts

  /// The samples of a signal between two snapshots.
  private struct Part {
    let signal: String
    var samples: [Sample] = []
    var hasSignal = false
    /// True if it is not complete.
    var isCut = false
    /// True if its snapshot was deleted after it was listed.
    var isDeleted = false
    var first = EntryTime()
    var last = EntryTime()
    var names: [String] = []
  }

  private func part(
    _ mark: Int, _ signal: String, _ configurations: PastConfigurations
  ) throws(LookingBack.Refusal) -> Part {
    do throws(LookingBack.Refusal) { return try replayed(mark, signal, configurations) } catch {
      guard configurations.includeOthers() else { throw error }
      return try replayed(mark, signal, configurations)
    }
  }

  private func replayed(
    _ mark: Int, _ signal: String, _ configurations: PastConfigurations
  ) throws(LookingBack.Refusal) -> Part {
    let gatherer = Gatherer(Part(signal: signal), upTo: times.upperBound, Samples(thinning))
    if isOver() {
      gatherer.part.isCut = true
      return gatherer.part
    }
    return try LookingBack.reading { () throws(StorageError) in
      try folder.atOneMoment { () throws(StorageError) in
        guard let snapshot = try folder.snapshot(marks[mark].number) else {
          (gatherer.part.isCut, gatherer.part.isDeleted) = (true, true)
          return gatherer.part
        }
        let replay = try Replay(snapshot, reading: configurations.configuration)
        replay.onCut = { [configurations] in configurations.hasCut = true }
        replay.relevance =
          configurations.isWhole ? nil : Relevance(to: signal, in: replay.origin.replayed, replay.durable)
        gatherer.begin(with: replay)
        let end = mark + 1 < marks.count ? marks[mark + 1].number : UInt64(Int64.max)
        try folder.forEachCommit(after: marks[mark].number, upTo: end) { commit throws(StorageError) in
          if gatherer.part.isCut || gatherer.isPast { return }
          gatherer.part.isCut = isOver()
          if !gatherer.part.isCut { try replay.work(out: commit) }
        }
        gatherer.part.last = replay.durable.time
        gatherer.part.samples = gatherer.samples.all
        return gatherer.part
      }
    }
  }

  /// Collects the samples of a signal during a replay.
  private final class Gatherer {
    var part: Part
    private(set) var isPast = false
    private(set) var samples: Samples
    private let end: Int64

    init(_ part: Part, upTo end: Int64, _ samples: Samples) {
      (self.part, self.end, self.samples) = (part, end, samples)
    }

    func begin(with replay: Replay) {
      let durable = replay.durable
      part.first = durable.time
      part.names = durable.places.filter(\.isOriginal).map(\.name)
      let signal = durable.places.first { $0.name == part.signal && $0.isOriginal }
      part.hasSignal = signal != nil
      if let signal, let time = signal.lastTime, let held = signal.retained.latest(1).first {
        add(.next(held.payload, sequence: held.sequence), at: time)
      }
      durable.emissions.observer = { [unowned self, unowned durable] event, place in
        guard durable.places[place].name == part.signal else { return }
        add(event, at: durable.time.microseconds)
      }
    }

    private func add(_ event: SignalEvent, at time: Int64) {
      isPast = time > end
      if isPast { return }
      samples.add(Sample(event, of: part.signal, at: time))
    }
  }
}
