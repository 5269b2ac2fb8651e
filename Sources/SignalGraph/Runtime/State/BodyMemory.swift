import ReactiveCore

/// The memories of the parts of one body, each under its place in the declaration, and which of its streams have ended.
///
/// A body is built in the same way each time, so that the parts of a place are told apart by their order.
final class BodyMemory: MemoryKeeper {
  private var parts: [(place: Int, memory: any KeptMemory)] = []
  /// The streams; one that had ended when it was written down has no probe.
  private var stages: [(place: Int, probe: (any EndingProbe)?)] = []
  /// The place of the part that is being built.
  private var place = 0
  /// Its saved state, until it is built.
  private var kept: Kept?
  private let engine: GraphEngine

  /// The saved state of a body.
  private struct Kept {
    /// Of each place its parts, the last one first.
    var parts: [Int: [StateReader]] = [:]
    var ended: Set<Int> = []
  }

  init(_ engine: GraphEngine) { self.engine = engine }

  /// Builds something at a place, and keeps what it remembers.
  func at<Result>(_ place: Int, _ build: () -> Result) -> Result {
    let outer = self.place
    self.place = place
    defer { self.place = outer }
    return keeping(build)
  }

  /// Builds a stream at a place, one that says nothing more if it had ended.
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
      // It may have ended as something else: a signal that has started anew since then.
      if kept?.ended.contains(place) ?? false { return }
      return engine.note(StateError("place \(place) has more parts than were kept"))
    }
    do throws(StateError) {
      try memory.restore(from: &part)
      if !part.isAtEnd { throw StateError("more was kept of place \(place) than it remembers") }
    } catch {
      engine.note(error)
    }
  }

  /// Everything has been built: the saved state has found its parts, but for those of parts that are over.
  func finish() {
    guard let kept = kept.take() else { return }
    for (place, parts) in kept.parts where !parts.isEmpty && !kept.ended.contains(place) {
      engine.note(StateError("place \(place) has fewer parts than were kept"))
    }
  }

  /// Has the parts that are built next remember nothing.
  func forgetKept() { kept = nil }

  func forget() {
    parts = []
    stages = []
  }

  /// Where something stands that remembers more than which of its inputs have ended.
  var places: Set<Int> { Set(parts.filter { !($0.memory is Hearing || $0.memory is Join) }.map(\.place)) }

  /// The things that are remembered at a place, in the order in which its parts were built.
  func remembered(at place: Int) -> [Any] { parts.filter { $0.place == place }.compactMap(\.memory.remembered) }

  // MARK: Saving

  func store(in writer: inout StateWriter) {
    writer.count(parts.count)
    for (place, memory) in parts {
      place.store(in: &writer)
      writer.part { memory.store(in: &$0) }
    }
    stages.filter { $0.probe?.isOver ?? true }.map(\.place).store(in: &writer)
  }

  /// Has the parts that are built next go on from a saved state.
  func restore(from reader: inout StateReader) throws(StateError) {
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
