internal import ClientCore

/// The lines of a subscription, without input or output.
///
/// `greeting` returns the first bytes for a new connection, and `receive` takes each received line; `output` holds the
/// bytes to be written then.
struct Following<Value: Sendable & Decodable> {
  typealias Event = SubscriptionEvent<Value>

  /// The daemon cannot serve the subscription now, but may on another connection.
  enum Failure: Error {
    case reconnect
    case refused(SignalboxError)
  }

  let signal: String
  private let options: SubscriptionOptions
  private var progress: SubscriptionProgress
  /// True once the daemon has answered on this connection.
  private(set) var isGreeted = false
  var output: [[UInt8]] = []

  init(_ signal: String, _ options: SubscriptionOptions) {
    self.signal = signal
    self.options = options
    progress = SubscriptionProgress(
      isPattern: signal.contains("*"), isThinned: options.where != nil || options.every != nil,
      replay: options.replay, wanted: options.take,
      places: options.position.mapValues { SubscriptionProgress.Place(seq: $0.seq, epoch: $0.epoch) })
  }

  var isOver: Bool { progress.isOver }
  /// True once the daemon has accepted the subscription, on any connection.
  var isAnswered: Bool { progress.isAccepted }

  // MARK: Requests

  /// Returns the requests that start a connection.
  mutating func greeting() throws(SignalboxError) -> [UInt8] {
    isGreeted = false
    output.removeAll()
    var hello = RequestFields("hello")
    hello["protocol"] = 1
    return try hello.line(id: 0) + request(from: progress.places())
  }

  private func request(from places: [String: SubscriptionProgress.Place]) throws(SignalboxError) -> [UInt8] {
    var fields = RequestFields("subscribe")
    fields["signal"] = signal
    fields["where"] = options.where
    fields["every"] = options.every?.text
    fields["heartbeat"] = options.heartbeat?.text
    fields["overflow"] = options.overflow
    fields["timestamps"] = options.timestamps ? true : nil
    fields["take"] = progress.wanted
    if !progress.hasBegun { fields["replay"] = options.replay }
    if !signal.contains("*"), let place = places[signal] {
      fields["from"] = place.seq
      fields["epoch"] = place.epoch
    } else if !places.isEmpty {
      fields["from"] = places.mapValues { Place(seq: $0.seq, epoch: $0.epoch) }
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
      progress.connect(to: line.epoch ?? "")
      isGreeted = true
    case "subscribe":
      do throws(SignalboxError) { output.append(try RequestFields("ping").line(id: 2)) } catch { throw .refused(error) }
      let starts = (line.signals ?? []).map {
        SubscriptionProgress.Start($0.signal, seq: $0.seq ?? 0, epoch: $0.epoch)
      }
      return progress.begin(starts, epoch: line.epoch).map { Event($0) }
    case "ping": return progress.settle().map { Event($0) }
    default: break
    }
    return []
  }

  private mutating func refuse(_ error: SignalboxError) throws(Failure) -> [Event] {
    var oldest: Int?
    if case .integer(let number)? = error.details["oldest"], error.details["epoch"] == nil { oldest = Int(number) }
    switch progress.refuse(error.code.rawValue, oldest: oldest) {
    case .subscribeAgain:
      do throws(SignalboxError) { output.append(try request(from: [:])) } catch { throw .refused(error) }
      return []
    case .reconnect, .notYet: throw .reconnect
    case .removed:
      return [Event(signal: signal, kind: .interrupted(reason: error.code == .denied ? "denied" : "removed"))]
    case .final: throw .refused(error)
    }
  }

  // MARK: Events

  private mutating func take(
    _ event: String, _ line: ServerLine, _ value: Result<Value, any Error>?
  ) throws(Failure) -> [Event] {
    guard let name = line.signal else { return [] }
    switch event {
    case "next": return try takeValue(line, name, value)
    case "completed": return try takeEnding(.completed, line, name)
    case "failed": return try takeEnding(.failed(line.error ?? SignalboxError(.failed, "")), line, name)
    case "interrupted": return try takeEnding(.interrupted(reason: line.reason), line, name)
    case "lagged":
      let dropped = line.dropped ?? 0
      return progress.takeLag(dropped, of: name) ? [Event(signal: name, kind: .lagged(dropped: dropped))] : []
    case "renewed":
      let epoch = line.epoch ?? ""
      return [
        progress.takeEpoch(epoch, of: name).map { Event($0) } ?? Event(signal: name, kind: .renewed(epoch: epoch))
      ]
    case "subscribed":
      return [Event(.subscribed(name, progress.takeBeginning(of: name, at: line.seq ?? 0, epoch: line.epoch)))]
    case "alive":
      progress.takeHeartbeat(line.seq ?? 0, of: name)
      return [Event(signal: name, kind: .alive(seq: line.seq ?? 0))]
    case "ended":
      progress.end()
      return [Event(signal: name, kind: .ended(reason: line.reason))]
    default: return []
    }
  }

  private mutating func takeValue(
    _ line: ServerLine, _ name: String, _ value: Result<Value, any Error>?
  ) throws(Failure) -> [Event] {
    let seq = line.seq ?? 0
    guard case .deliver(let loss) = progress.takeValue(seq, of: name) else { return [] }
    guard case .success(let value)? = value else {
      progress.end()
      if case .failure(let error)? = value { throw .refused(.undecodable(error)) }
      return []
    }
    var events = loss.map { [Event($0)] } ?? []
    events.append(
      Event(signal: name, kind: .next(value, seq: seq, epoch: progress.epoch(of: name), at: line.at)))
    if progress.isOver { events.append(Event(signal: signal, kind: .ended(reason: "take"))) }
    return events
  }

  private mutating func takeEnding(
    _ kind: Event.Kind, _ line: ServerLine, _ name: String
  ) throws(Failure) -> [Event] {
    switch progress.takeEnding(of: name, reason: line.reason) {
    case .skip: return []
    case .deliver: return [Event(signal: name, kind: kind)]
    case .reconnect: throw .reconnect
    }
  }
}

extension SubscriptionEvent {
  fileprivate init(_ notice: SubscriptionProgress.Notice) {
    switch notice {
    case .expired(let signal, let after, let oldest):
      self.init(signal: signal, kind: .expired(after: after, oldest: oldest))
    case .restarted(let signal, _, let epoch): self.init(signal: signal, kind: .restarted(epoch: epoch))
    case .subscribed(let signal, let place):
      self.init(signal: signal, kind: .subscribed(seq: place.seq, epoch: place.epoch))
    case .removed(let signal): self.init(signal: signal, kind: .interrupted(reason: "removed"))
    }
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
