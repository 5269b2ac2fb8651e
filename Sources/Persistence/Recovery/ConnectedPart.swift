import GraphModel

/// The durable signals that a signal is connected to, in either direction: nothing outside can affect them.
///
/// A turn stays within the part, with all that its limits count, so the part alone behaves as it does among the others.
/// External events are excepted, since their entries name attachments, which are counted over all signals; so are turns
/// that were cut, since a cut counts the work of all.
struct ConnectedPart {
  /// The configuration of these signals alone.
  let configuration: Configuration
  /// The indices of signals in it, by those among all durable signals.
  private let places: [UInt32?]
  /// The number of signals in it.
  private let count: Int

  /// - Parameter configuration: The durable part of a configuration.
  /// - Returns: `nil` if the signal does not exist, or cannot be separated from the others.
  init?(of signal: String, in configuration: Configuration) {
    let signals = configuration.graphs.flatMap(\.signals)
    // The sources and operators of a mirror run in the other graphs.
    let running = signals.filter { $0.isDurable || $0.isCold }
    guard running.allSatisfy(\.isSelfContained) else { return nil }
    let names = Self.neighbours(of: signal, among: running)
    let known = Set(signals.map(\.name))
    // The daemon's own signals depend on all others.
    guard known.contains(signal), names.isSubset(of: known) else { return nil }
    self.configuration = configuration.keeping(names)
    var count: UInt32 = 0
    places = signals.map { signal in
      guard names.contains(signal.name) else { return nil }
      defer { count += 1 }
      return count
    }
    self.count = Int(count)
  }

  private static func neighbours(of signal: String, among signals: [SignalDeclaration]) -> Set<String> {
    var edges: [String: [String]] = [:]
    for signal in signals {
      for other in signal.upstream + signal.body.targets {
        edges[signal.name, default: []].append(other)
        edges[other, default: []].append(signal.name)
      }
    }
    var (found, open) = (Set([signal]), [signal])
    while let name = open.popLast() {
      for other in edges[name] ?? [] where found.insert(other).inserted { open.append(other) }
    }
    return found
  }

  /// The number of all durable signals, with those outside.
  var wholeCount: Int { places.count }

  /// Returns the index of a signal in the part; `nil` if it is outside.
  func place(_ place: UInt32) -> UInt32? {
    guard places.indices.contains(Int(place)) else { return UInt32(count + Int(place) - places.count) }
    return places[Int(place)]
  }

  /// Returns an entry for the part; `nil` if it does not concern the part.
  func entry(_ entry: Entry) -> Entry? {
    switch entry {
    case .value(let value, let place, let message): self.place(place).map { .value(value, to: $0, message: message) }
    case .values(let values, let place, let message):
      self.place(place).map { .values(values, to: $0, message: message) }
    case .ending(let ending, let place, let message):
      self.place(place).map { .ending(ending, of: $0, message: message) }
    case .crossing(let event, let place): self.place(place).map { .crossing(event, of: $0) }
    case .listening(let listens, let place): self.place(place).map { .listening(listens, to: $0) }
    case .restart(let places):
      places.contains { self.place($0) != nil } ? .restart(places.compactMap(self.place)) : nil
    case .progress(let message, let place, let count, let sequence):
      self.place(place).map { .progress(message: message, of: $0, count: count, sequence: sequence) }
    case .timers, .world, .content, .appended, .replaced: entry
    }
  }
}
