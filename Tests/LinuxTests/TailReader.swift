@testable import Linux

/// Follows a tail as graphs do: splits lines, stores the place, and resumes from it after a restart.
struct TailReader {
  private(set) var tail: FileTail
  private let path: String
  var place: FileTail.Place?
  var lines: [String] = []
  private(set) var losses: [TailLoss] = []
  /// The sizes of the holes that were skipped.
  private(set) var holes: [Int64] = []
  private(set) var bytes: [UInt8] = []
  private var unfinished: [UInt8] = []

  init(_ path: String, from start: FileTail.Start = .beginning) {
    self.path = path
    tail = FileTail(path)
    tail.start(from: start)
  }

  /// Resumes in another process.
  mutating func restart() {
    tail = FileTail(path)
    tail.start(from: place.map(FileTail.Start.place) ?? .beginning)
  }

  /// Reads a portion; returns true if there may be more.
  mutating func step() -> Bool {
    var events: [FileTail.Event] = []
    let hasMore = tail.read(upTo: 100) { events.append($0) }
    for event in events { receive(event) }
    return hasMore
  }

  /// Reads all available lines.
  mutating func settle(departures: [String] = [], at now: MonotonicInstant = .now()) {
    var departures = departures
    var events: [FileTail.Event] = []
    while tail.read(upTo: 100, departures: departures, at: now, { events.append($0) }) { departures = [] }
    for event in events { receive(event) }
  }

  mutating func receive(_ event: FileTail.Event) {
    switch event {
    case .appended(let new):
      bytes += new
      unfinished += new
      while let end = unfinished.firstIndex(of: UInt8(ascii: "\n")) {
        lines.append(String(decoding: unfinished[..<end], as: UTF8.self))
        unfinished.removeSubrange(...end)
      }
    case .rotated:
      if !unfinished.isEmpty { lines.append(String(decoding: unfinished, as: UTF8.self)) }
      unfinished = []
    case .truncated: unfinished = []
    case .lost(let loss): losses.append(loss)
    case .skipped(let count): holes.append(count)
    case .reached(let place): self.place = place
    }
  }
}
