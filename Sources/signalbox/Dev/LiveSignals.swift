internal import GraphModel
internal import Linux
internal import WireProtocol

/// The connection to the daemon under development: it follows the signals that run anyway, and carries requests.
final class LiveSignals {
  /// The number of signals that are followed.
  static let most = 500

  private let connection: Connection
  private var input: EventSource?
  private(set) var signals: [WatchedSignal] = []
  private var places: [String: Int] = [:]
  private var followed: Set<String> = []
  private var replies: [RequestID: (ServerLine) -> Void] = [:]
  private(set) var isLost = false

  /// - Parameter former: The signals of a connection that was lost.
  init(_ connection: Connection, continuing former: LiveSignals? = nil) {
    self.connection = connection
    signals = former?.signals ?? []
  }

  // The loop must not watch a closed descriptor: a program that is just being started may still have it.
  deinit { input = nil }

  /// Receives lines by a loop.
  ///
  /// - Parameters:
  ///   - onChange: Called after lines have arrived.
  ///   - onLoss: Called once when the connection is lost.
  func follow(
    _ screen: ScreenLoop, onChange: @escaping () throws -> Void, onLoss: @escaping () throws -> Void
  ) throws(CommandError) {
    input = try screen.addInput(connection.descriptor) { [unowned self] in
      do throws(CommandError) {
        try connection.receive()
        while let line = try connection.nextAtHand() {
          if let interruption = line.interruption { throw interruption }
          take(line)
        }
      } catch {
        if error.status != .unreachable { throw error }
        input = nil
        isLost = true
        return try onLoss()
      }
      try onChange()
    }
  }

  /// Sends a request, and calls a handler with its reply.
  func ask(_ request: some WireRequest, _ handler: @escaping (ServerLine) -> Void) throws(CommandError) {
    let id = try connection.send(request)
    replies[id] = handler
  }

  /// Follows the signals of a configuration that it does not follow yet, and drops those that have gone.
  func follow(_ declared: [SignalDeclaration]) throws(CommandError) {
    let old = signals
    signals = []
    places = [:]
    for signal in declared.prefix(Self.most) {
      var row = old.first { $0.name == signal.name } ?? WatchedSignal(signal.name)
      row.unit = signal.traits.unit ?? ""
      row.precision = signal.traits.precision
      row.isHeld = signal.holdsValues
      places[signal.name] = signals.count
      signals.append(row)
    }
    followed.formIntersection(places.keys)
    for index in signals.indices where followed.insert(signals[index].name).inserted {
      guard let pattern = SignalPattern(signals[index].name) else { continue }
      signals[index].begin()
      var request = SubscribeRequest(signal: pattern)
      request.subscription = signals[index].name
      request.timestamps = true
      request.overflow = .latest
      try connection.send(request)
    }
    try ask(ValuesRequest()) { [unowned self] line in settle(line) }
  }

  private func settle(_ line: ServerLine) {
    // There may be too many values for one reply.
    if line.failure != nil { return }
    let retained = Set(line.objects("values").map { $0.text("signal") })
    for index in signals.indices { signals[index].settle(isRetained: retained.contains(signals[index].name)) }
  }

  /// Advances the rates and curves by one step.
  func step() {
    let now = MonotonicInstant.now()
    for index in signals.indices { signals[index].step(now) }
  }

  private func take(_ line: ServerLine) {
    if case .reply = line.kind {
      if let id = line.id, let handler = replies.removeValue(forKey: id) { handler(line) }
      return
    }
    guard let name = line.string("signal"), let place = places[name], case .event(let event) = line.kind else { return }
    if event == "next" {
      signals[place].take(line, isRaw: false)
    } else if event == "subscribed" {
      signals[place].begin()
    } else if line.isEnding {
      followed.remove(name)
      signals[place].end(event, event == "failed" ? line.message : line.string("reason"))
    }
  }
}
