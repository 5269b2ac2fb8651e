internal import JSON
internal import Linux
internal import SignalGraph
internal import WireProtocol

/// The newest that is known of a signal.
struct WatchedSignal {
  /// The longest value that is shown, in bytes; terminals are not wider.
  private static let longestValue = 1000
  /// The steps over which values are counted for the rate.
  private static let steps = 5

  let name: String
  private(set) var value = ""
  /// Its end, if it has one, with the reason: `failed: no value for 30s`.
  private(set) var ending: String?
  private var sequence = 0
  /// When the value came, in civil time.
  private var time: WallTime?
  /// The figure that the curve goes on with; `nil` for values that are none.
  private var figure: Double?
  private var curve = Curve()
  /// The numbers that the signal had come to at the last steps, with their times.
  private var marks: [(sequence: Int, instant: MonotonicInstant)] = []

  init(_ name: String) { self.name = name }

  mutating func take(_ line: ServerLine, isRaw: Bool) {
    let raw = line["value"]
    value = String(decoding: ValueText.bytes(raw, isRaw: isRaw).prefix(Self.longestValue), as: UTF8.self).visible
    sequence = line.number("seq") ?? sequence
    // Numbers that have begun anew tell no rate together with the old ones.
    marks.removeAll { $0.sequence > sequence }
    if case .moment(let microseconds)? = line.string("at").flatMap(RecordedTime.init) {
      time = WallTime(microseconds: microseconds)
    }
    ending = nil
    switch raw?.value.plain {
    case .number(let number): figure = number
    case .bool(let isTrue): figure = isTrue ? 1 : 0
    default: figure = nil
    }
  }

  mutating func end(_ event: String, _ reason: String?) { ending = reason.map { "\(event): \($0)" } ?? event }

  mutating func begin() { ending = nil }

  /// Goes on by one step of time.
  mutating func step(_ now: MonotonicInstant) {
    if let figure, figure.isFinite { curve.add(figure) }
    marks.append((sequence, now))
    if marks.count > Self.steps { marks.removeFirst() }
  }

  // MARK: Figures

  /// Seconds since the value came.
  func age(_ now: WallTime) -> Double? {
    time.map { max(0, Double(now.microseconds - $0.microseconds) / 1_000_000) }
  }

  /// Values a second, over the last steps; `nil` before the second one.
  var rate: Double? {
    guard let first = marks.first, let last = marks.last, last.instant > first.instant else { return nil }
    return Double(last.sequence - first.sequence) / ((last.instant - first.instant) / .seconds(1))
  }

  func curve(width: Int) -> String { figure == nil ? "" : curve.text(width: width) }
}
