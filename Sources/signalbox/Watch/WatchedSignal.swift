internal import GraphModel
internal import JSON
internal import Linux
internal import WireProtocol

/// The newest state of a signal.
struct WatchedSignal {
  /// The longest value to show, in bytes; terminals are not wider.
  private static let longestValue = 1000
  /// The number of steps that the rate is averaged over.
  private static let steps = 5

  let name: String
  private(set) var value = ""
  /// The declared unit of its values.
  var unit = ""
  /// The declared number of decimals.
  var precision: Int?
  /// True if the daemon is known to retain its values.
  var isHeld = false
  /// The epoch of the daemon that the value is from.
  private var epoch = ""
  /// Its end with the reason, if it has one: `failed: no value for 30s`.
  private(set) var ending: String?
  private var sequence = 0
  /// The time of the value by the wall clock.
  private var time: WallTime?
  /// The figure for the curve; `nil` for values that are not numbers.
  private var figure: Double?
  /// True if the newest value is a Boolean, so that the curve ranges from false to true.
  private var isBoolean = false
  private var curve = Curve()
  /// The signal's sequence numbers at the last steps, with their times.
  private var marks: [(sequence: Int, instant: MonotonicInstant)] = []

  init(_ name: String) { self.name = name }

  mutating func take(_ line: ServerLine, isRaw: Bool, epoch: String = "") {
    self.epoch = epoch
    let raw = line["value"]
    value = String(decoding: ValueText.bytes(raw, isRaw: isRaw).prefix(Self.longestValue), as: UTF8.self).visible
    sequence = line.number("seq") ?? sequence
    // Numbers that have restarted cannot be compared with older ones.
    marks.removeAll { $0.sequence > sequence }
    if case .moment(let microseconds)? = line.string("at").flatMap(RecordedTime.init) {
      time = WallTime(microseconds: microseconds)
    }
    ending = nil
    isBoolean = false
    switch raw?.value.plain {
    case .number(let number): figure = number
    case .bool(let isTrue):
      figure = isTrue ? 1 : 0
      isBoolean = true
    default: figure = nil
    }
  }

  /// The value with its unit; a number is rounded.
  var shownValue: String {
    let isNumber = figure != nil && !isBoolean
    let shown = isNumber ? RoundedNumber.text(figure ?? 0, value, precision: precision) : value
    return value.isEmpty || unit.isEmpty ? shown : "\(shown) \(unit)"
  }

  /// True before its first value.
  var isNew: Bool { sequence == 0 }

  mutating func end(_ event: String, _ reason: String?) { ending = reason.map { "\(event): \($0)" } ?? event }

  mutating func begin() { ending = nil }

  /// Forgets a value that the daemon no longer has: it is over together with the run of the daemon that it is from, and
  /// within a run if its signal would hold it.
  ///
  /// - Parameters:
  ///   - isRetained: True if the daemon has a value.
  ///   - epoch: The epoch of the daemon.
  mutating func settle(isRetained: Bool, epoch: String = "") {
    if isRetained { isHeld = true }
    if isRetained || epoch == self.epoch && !isHeld { return }
    (value, sequence, time, figure, isBoolean) = ("", 0, nil, nil, false)
    (curve, marks) = (Curve(), [])
  }

  /// Advances by one step.
  mutating func step(_ now: MonotonicInstant) {
    if let figure, figure.isFinite { curve.add(figure) }
    marks.append((sequence, now))
    if marks.count > Self.steps { marks.removeFirst() }
  }

  // MARK: Figures

  /// Returns the seconds since the last value.
  func age(_ now: WallTime) -> Double? {
    time.map { max(0, Double(now.microseconds - $0.microseconds) / 1_000_000) }
  }

  /// The values per second over the last steps; `nil` before the second one.
  var rate: Double? {
    guard let first = marks.first, let last = marks.last, last.instant > first.instant else { return nil }
    return Double(last.sequence - first.sequence) / ((last.instant - first.instant) / .seconds(1))
  }

  func curve(width: Int) -> String {
    figure == nil ? "" : curve.text(width: width, range: isBoolean ? 0...1 : nil)
  }
}
