import GraphModel
import Signals

/// The memories of the parts of one body by place in the declaration, and the record of its ended streams.
///
/// A body is built in the same order each time, which distinguishes the parts of a place.
final class BodyMemory: MemoryKeeper {
  private var parts: [(place: Int, memory: any KeptMemory)] = []
  /// The streams; one that had ended when it was saved has no probe.
  private var stages: [(place: Int, probe: (any EndingProbe)?)] = []
  /// The place of the part being built.
  private var place = 0
  /// Its saved state, until it is built.
  private var kept: Kept?
  /// The signal that starts fresh if a part of this does not fit.
  private let signal: RunningSignal

  /// The saved state of a body.
  private struct Kept {
    /// The parts of each place, the last one first.
    var parts: [Int: [StateDecoder]] = [:]
    var ended: Set<Int> = []
  }

  init(of signal: RunningSignal) { self.signal = signal }

  private func note(_ error: StateError) { signal.engine.note(error, of: signal.name) }

  /// Builds a part at a place and keeps its memories.
  func at<Result>(_ place: Int, _ build: () -> Result) -> Result {
    let outer = self.place
    self.place = place
    defer { self.place = outer }
    return keeping(build)
  }

  /// Builds a stream at a place; one that had ended emits nothing more.
  func stage(_ place: Int, _ build: () -> Stream) -> (stream: Stream, hadEnded: Bool) {
    let stream = at(place, build)
    if kept?.ended.contains(place) ?? false {
      stages.append((place, nil))
      return (.never, true)
    }
    stages.append((place, stream.endingProbe))
    return (stream, false)
  }

  func enrol(_ memory: any KeptMemory) {
    parts.append((place, memory))
    guard kept != nil else { return }
    guard var part = kept?.parts[place]?.popLast() else {
      // It may have ended as something else: a signal that was restarted since then.
      if kept?.ended.contains(place) ?? false { return }
      return note(StateError("missing state at place \(place)"))
    }
    do throws(StateError) {
      try memory.restore(from: &part)
      if !part.isAtEnd { throw StateError("unexpected data at place \(place)") }
    } catch {
      note(error)
    }
  }

  /// Checks that the saved state is used up, except that of parts that have ended.
  func finish() {
    guard let kept = kept.take() else { return }
    for (place, parts) in kept.parts where !parts.isEmpty && !kept.ended.contains(place) {
      note(StateError("unexpected state at place \(place)"))
    }
  }

  /// Discards the saved state, so that the parts built next begin empty.
  func discardKept() { kept = nil }

  func discard() {
    parts = []
    stages = []
  }

  /// The places with more memory than the record of ended inputs.
  var places: Set<Int> { Set(parts.filter { !($0.memory is UpstreamSubscription || $0.memory is Join) }.map(\.place)) }

  /// Returns the values remembered at a place, in the order in which its parts were built.
  func remembered(at place: Int) -> [Any] { parts.filter { $0.place == place }.compactMap(\.memory.remembered) }

  // MARK: Saving

  func encode(to writer: inout StateEncoder) {
    writer.count(parts.count)
    for (place, memory) in parts {
      place.encode(to: &writer)
      writer.part { memory.encode(to: &$0) }
    }
    stages.filter { $0.probe?.isOver ?? true }.map(\.place).encode(to: &writer)
  }

  /// Reads a saved state for the parts that are built next.
  func restore(from reader: inout StateDecoder) throws(StateError) {
    var kept = Kept()
    for _ in 0..<(try reader.count()) {
      let place = try Int(from: &reader)
      kept.parts[place, default: []].append(try reader.part())
    }
    for place in kept.parts.keys { kept.parts[place]?.reverse() }
    kept.ended = Set(try [Int](from: &reader))
    self.kept = kept
  }
}
