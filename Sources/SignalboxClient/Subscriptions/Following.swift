/// The state of a subscription across all its connections, without input or output.
///
/// It stores the last number of each signal and creates the requests for a new connection, so that nothing is lost or
/// duplicated. `greeting` returns the first bytes for a new connection, and `receive` takes each received line;
/// `output` holds the bytes to be written then.
struct Following<Value: Sendable & Decodable> {
  typealias Event = SubscriptionEvent<Value>

  /// The daemon cannot serve the subscription now, but may on another connection.
  enum Failure: Error {
    case reconnect
    case refused(SignalboxError)
  }

  /// The progress of a signal's values.
  private struct Progress {
    var epoch: String
    /// The last number received; `nil` while all retained values may still arrive.
    var seq: Int?
    /// Without a value so far: the number above which none may be missing.
    var floor = 0
    var hasEnded = false

    var base: Int { max(seq ?? 0, floor) }
    var isKnown: Bool { seq != nil || floor > 0 }
  }

  let signal: String
  private let options: SubscriptionOptions
  private(set) var isOver = false
  /// True once the daemon has accepted the subscription, on any connection.
  private(set) var isAnswered = false
  /// True once the daemon has answered on this connection.
  private(set) var isGreeted = false
  var output: [[UInt8]] = []

  private var left: Int?
  private var epoch = ""
  private var progress: [String: Progress]
  /// True if there is a position to resume from.
  private var hasBegun: Bool
  private var hasFrom = false
  private var isResumed = false
  private var isSettled = false
  private var oldest = 0
  private var reached: [(signal: String, seq: Int)] = []

  init(_ signal: String, _ options: SubscriptionOptions) {
    self.signal = signal
    self.options = options
    left = options.take
    progress = options.position.mapValues { Progress(epoch: $0.epoch, seq: $0.seq) }
    hasBegun = !options.position.isEmpty
  }

  private var isName: Bool { !signal.contains("*") }
  /// True if values are filtered, so that missing numbers are not losses.
  private var isThinned: Bool { options.where != nil || options.every != nil }

  // MARK: Requests

  /// Returns the requests that start a connection.
  mutating func greeting() throws(SignalboxError) -> [UInt8] {
    isGreeted = false
    output.removeAll()
    var hello = RequestFields("hello")
    hello["protocol"] = 1
    return try hello.line(id: 0) + request(withPlaces: true)
  }

  private mutating func request(withPlaces: Bool) throws(SignalboxError) -> [UInt8] {
    var fields = RequestFields("subscribe")
    fields["signal"] = signal
    fields["where"] = options.where
    fields["every"] = options.every?.text
    fields["heartbeat"] = options.heartbeat?.text
    fields["overflow"] = options.overflow
    fields["timestamps"] = options.timestamps ? true : nil
    fields["take"] = left
    if !hasBegun { fields["replay"] = options.replay }
    let places = progress.compactMapValues { place in place.seq.map { Place(seq: $0, epoch: place.epoch) } }
    hasFrom = hasBegun && withPlaces && !places.isEmpty
    if hasFrom {
      if isName, let place = places[signal] {
        fields["from"] = place.seq
        fields["epoch"] = place.epoch
      } else {
        fields["from"] = places
      }
    }
    return try fields.line(id: 1)
  }

  // MARK: Replies

  /// Processes a line and returns the events for the program.
  mutating func receive(_ line: ServerLine, _ value: Result<Value, any Error>?) throws(Failure) -> [Event] {
    if isOver { return [] }
    if let event = line.event { return try take(event, line, value) }
    if let error = line.error {
      if line.op == "hello" { throw .refused(error) }
      return try refuse(error)
    }
    switch line.reply {
    case "hello":
      epoch = line.epoch ?? ""
      isGreeted = true
    case "subscribe":
      do throws(SignalboxError) { output.append(try RequestFields("ping").line(id: 2)) } catch { throw .refused(error) }
      return begin(line)
    case "ping": return settle()
    default: break
    }
    return []
  }

  private mutating func begin(_ line: ServerLine) -> [Event] {
    var events: [Event] = []
    (isResumed, hasBegun, isSettled, isAnswered) = (hasBegun, true, false, true)
    reached = (line.signals ?? []).map { ($0.signal, $0.seq ?? 0) }
    for entry in line.signals ?? [] {
      let (name, seq) = (entry.signal, entry.seq ?? 0)
      let epoch = entry.epoch ?? line.epoch ?? epoch
      if var place = progress[name] {
        if !hasFrom, place.epoch != epoch || seq < place.base {
          progress[name] = Progress(epoch: epoch, floor: seq)
          events.append(Event(signal: name, kind: .restarted(epoch: epoch)))
        } else if isResumed, !hasFrom, isThinned, seq > place.base {
          events.append(expired(name, place, oldest))
          // Another disconnection must not report it again.
          place.seq = max(place.base, oldest - 1)
          progress[name] = place
        }
      } else {
        progress[name] = firstProgress(seq, epoch)
        if isResumed, !isName { events.append(Event(signal: name, kind: .subscribed(seq: seq, epoch: epoch))) }
      }
    }
    let covered = Set(reached.map(\.signal))
    for name in progress.keys.sorted() where !covered.contains(name) {
      if progress.removeValue(forKey: name)?.hasEnded == false {
        events.append(Event(signal: name, kind: .interrupted(reason: "removed")))
      }
    }
    return events
  }

  private func firstProgress(_ seq: Int, _ epoch: String) -> Progress {
    if seq == 0 || options.replay == 0 { return Progress(epoch: epoch, seq: seq) }
    guard let replay = options.replay, !isThinned, !isResumed else { return Progress(epoch: epoch, floor: seq) }
    return Progress(epoch: epoch, seq: max(0, seq - replay), floor: seq)
  }

  private mutating func refuse(_ error: SignalboxError) throws(Failure) -> [Event] {
    if hasFrom, [.expired, .badRequest, .tooLong].contains(error.code) {
      // Ask for all retained values: those already received are skipped, and numbers show the missing ones.
      if case .integer(let number)? = error.details["oldest"], error.details["epoch"] == nil {
        oldest = Int(number)
      } else {
        oldest = 0
      }
      do throws(SignalboxError) { output.append(try request(withPlaces: false)) } catch { throw .refused(error) }
      return []
    }
    if error.code == .tooMany || error.code == .shuttingDown { throw .reconnect }
    isOver = true
    guard isAnswered, error.code == .unknownSignal || error.code == .denied else { throw .refused(error) }
    return [Event(signal: signal, kind: .interrupted(reason: error.code == .denied ? "denied" : "removed"))]
  }

  /// Records that all retained values have arrived.
  private mutating func settle() -> [Event] {
    var events: [Event] = []
    isSettled = true
    for (name, seq) in reached {
      guard var place = progress[name] else { continue }
      if place.isKnown, seq > place.base, !isThinned { events.append(expired(name, place, seq + 1)) }
      place.seq = max(seq, place.seq ?? 0)
      place.floor = 0
      progress[name] = place
    }
    return events
  }

  // MARK: Events

  private mutating func take(
    _ event: String, _ line: ServerLine, _ value: Result<Value, any Error>?
  ) throws(Failure) -> [Event] {
    guard let name = line.signal else { return [] }
    if event == "ended" {
      isOver = true
      return [Event(signal: name, kind: .ended(reason: line.reason))]
    }
    var place = progress[name] ?? Progress(epoch: epoch)
    let events = try take(event, line, name, &place, value)
    // A removed signal starts over if it returns.
    let isGone = line.reason != nil && place.hasEnded && !events.isEmpty
    progress[name] = isGone ? nil : place
    return events
  }

  private mutating func take(
    _ event: String, _ line: ServerLine, _ name: String, _ place: inout Progress, _ value: Result<Value, any Error>?
  ) throws(Failure) -> [Event] {
    switch event {
    case "next": return try takeValue(line, name, &place, value)
    case "completed": return takeEnding(.completed, line, &place)
    case "failed": return takeEnding(.failed(line.error ?? SignalboxError(.failed, "")), line, &place)
    case "interrupted": return takeEnding(.interrupted(reason: line.reason), line, &place)
    case "lagged": return takeLag(line.dropped ?? 0, name, &place)
    case "renewed": return takeEpoch(line.epoch ?? "", name, &place)
    case "subscribed":
      let epoch = line.epoch ?? epoch
      place = Progress(epoch: epoch, seq: line.seq)
      return [Event(signal: name, kind: .subscribed(seq: line.seq ?? 0, epoch: epoch))]
    case "alive":
      if isSettled { place.seq = max(place.seq ?? 0, line.seq ?? 0) }
      return [Event(signal: name, kind: .alive(seq: line.seq ?? 0))]
    default: return []
    }
  }

  private mutating func takeValue(
    _ line: ServerLine, _ name: String, _ place: inout Progress, _ value: Result<Value, any Error>?
  ) throws(Failure) -> [Event] {
    let seq = line.seq ?? 0
    if let last = place.seq, seq <= last { return [] }
    guard case .success(let value)? = value else {
      isOver = true
      if case .failure(let error)? = value { throw .refused(.undecodable(error)) }
      return []
    }
    var events: [Event] = []
    if !isThinned, place.isKnown, seq > place.base + 1 { events.append(expired(name, place, seq)) }
    place.seq = seq
    place.floor = 0
    place.hasEnded = false
    events.append(Event(signal: name, kind: .next(value, seq: seq, epoch: place.epoch, at: line.at)))
    if let left {
      self.left = left - 1
      if left == 1 {
        isOver = true
        events.append(Event(signal: signal, kind: .ended(reason: "take")))
      }
    }
    return events
  }

  private mutating func takeEnding(_ kind: Event.Kind, _ line: ServerLine, _ place: inout Progress) -> [Event] {
    guard let name = line.signal else { return [] }
    // The signal has not ended with the daemon: the next one resumes it.
    if line.reason == "shutting_down" || place.hasEnded { return [] }
    place.hasEnded = true
    isOver = isName
    return [Event(signal: name, kind: kind)]
  }

  private func takeLag(_ dropped: Int, _ name: String, _ place: inout Progress) -> [Event] {
    if let seq = place.seq {
      place.seq = seq + dropped
      // A gap within the retained values, which is reported once all of them have arrived.
      if isResumed, !isSettled, seq + dropped <= place.floor { return [] }
    } else {
      place.floor = 0
    }
    return [Event(signal: name, kind: .lagged(dropped: dropped))]
  }

  private func takeEpoch(_ epoch: String, _ name: String, _ place: inout Progress) -> [Event] {
    if isResumed, !isSettled {
      place = Progress(epoch: epoch, floor: reached.first { $0.signal == name }?.seq ?? 0)
      return [Event(signal: name, kind: .restarted(epoch: epoch))]
    }
    place.epoch = epoch
    return [Event(signal: name, kind: .renewed(epoch: epoch))]
  }

  private func expired(_ name: String, _ place: Progress, _ oldest: Int) -> Event {
    Event(signal: name, kind: .expired(after: place.base, oldest: oldest))
  }
}

extension Duration {
  /// The duration in the protocol's notation.
  fileprivate var text: String {
    let microseconds = self / .microseconds(1)
    return microseconds.truncatingRemainder(dividingBy: 1000) == 0
      ? "\(Int(microseconds / 1000))ms" : "\(Int(microseconds.rounded(.up)))us"
  }
}
