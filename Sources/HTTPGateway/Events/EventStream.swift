internal import ClientCore
internal import JSON
internal import Linux
internal import WireProtocol

/// An event stream to one HTTP client until it disconnects.
///
/// It has its own connection to the daemon, so the daemon's overflow policies apply: while the client does not read,
/// the stream does not either, and the daemon reports what it drops by `lagged`. When the daemon closes the connection,
/// the stream stays open, reconnects and resumes from its position; the client is informed of both.
final class EventStream: HeartbeatStream {
  private let call: RouteCall
  private let context: GatewayContext
  private let selection: EventSelection
  private let grant: Grant
  private var position: EventPosition
  private var connection: DaemonConnection?
  private var opening: StreamOpening?
  private var body: HTTPBodyStream?
  private var retry: LoopTimer?
  private var backoff = Backoff(.milliseconds(100)...(.seconds(5)))
  private var isQuiet = true
  private var isOver = false
  /// Notices to send once the stream is open.
  private var notices: [(name: String, value: JSONValue)] = []

  init(_ call: RouteCall, _ selection: EventSelection, from position: EventPosition?) {
    self.call = call
    self.selection = selection
    context = call.context
    grant = call.grant
    self.position = position ?? EventPosition(sections: selection.patterns.count)
    call.exchange.abandoned = { self.end() }
  }

  /// Connects, and responds once the daemon has accepted the subscriptions.
  func connect() {
    opening = StreamOpening(selection, position, for: grant)
    do throws(Problem) {
      let connection = try context.connect()
      connection.received = { self.take($0) }
      connection.closed = { self.lose(.daemonGone) }
      self.connection = connection
      opening?.ask(connection)
    } catch { lose(error) }
  }

  // MARK: From the daemon

  private func take(_ line: Span<UInt8>) {
    if opening == nil, let next = NextLine(line) { return deliver(next, line) }
    do throws(Problem) {
      let line = try ServerLine(reading: line)
      guard opening != nil else { return deliver(line) }
      switch try opening?.take(line) {
      case .more, nil: break
      case .expired(let index, let notice): startAgain(index, notice)
      case .open(let opened): begin(opened)
      }
    } catch {
      // A daemon that begins, ends or is full may accept an open stream later.
      if body != nil, [429, 503].contains(error.status) { lose(error) } else { refuse(error) }
    }
  }

  /// Restarts a subscription whose position has expired, with the newest values.
  private func startAgain(_ index: Int, _ notice: JSONValue) {
    notices.append(("expired", notice))
    position.sections[index] = EventPosition.Section()
    connection?.close()
    connect()
  }

  private func begin(_ opened: StreamOpening.Opened) {
    opening = nil
    backoff.reset()
    position = opened.position
    let events = news(among: opened.events)
    let isNew = body == nil
    if isNew && events.isEmpty && isFinished {
      // A browser does not reconnect after this status.
      return finish { call.respond(HTTPResponse(204)) }
    }
    open()
    if !isNew { notices.insert(("connected", [:]), at: 0) }
    var bytes: [UInt8] = []
    for (name, value) in notices { EventFrame.append(name, value, to: &bytes) }
    notices = []
    if position.text == nil {
      let why = "too many signals for a resume position: a reconnecting client starts over"
      EventFrame.append("unresumable", ["message": .string(why)], to: &bytes)
    }
    EventFrame.append(position: position, to: &bytes)
    write(bytes)
    for event in events { deliver(event) }
  }

  /// Returns the first events without the ends that were delivered before; a signal that has restarted since has
  /// another end.
  private func news(among events: [ServerLine]) -> [ServerLine] {
    var delivered = position
    for index in position.sections.indices {
      for place in position.sections[index].places.indices { position.sections[index][place].isEnded = false }
    }
    return events.filter { line in
      guard let signal = line.string("signal"), let index = section(of: line),
        let place = delivered.sections[index].index(of: signal)
      else { return true }
      if line.isEnding, delivered.sections[index][place].isEnded {
        position.sections[index][place].isEnded = true
        return false
      }
      delivered.sections[index][place].isEnded = false
      return true
    }
  }

  private func section(of line: ServerLine) -> Int? {
    guard selection.patterns.count > 1 else { return 0 }
    let label = line.string("subscription")
    return selection.patterns.firstIndex { $0.text == label }
  }

  // MARK: To the client

  /// Delivers a value, parsing no more of its line than necessary.
  private func deliver(_ next: NextLine, _ line: Span<UInt8>) {
    guard let index = next.section(of: selection, line), let place = place(of: next, line, index) else { return }
    position.sections[index][place].seq = next.seq
    position.sections[index][place].isEnded = false
    var bytes: [UInt8] = []
    bytes.reserveCapacity(line.count + 128)
    EventFrame.append(id: position, data: line, to: &bytes)
    write(bytes)
  }

  /// Returns the index of a signal in its subscription; `nil` if the client may not read it.
  private func place(of next: NextLine, _ line: Span<UInt8>, _ index: Int) -> Int? {
    if selection.patterns[index].isName && position.sections[index].names.count == 1 { return 0 }
    let name = line.text(next.signal)
    if let place = position.sections[index].index(of: name) { return place }
    guard grant.reads.contains(name) else { return nil }
    position.sections[index].set(
      name, EventPlace(seq: next.seq, epoch: position.sections[index].places.first?.epoch ?? ""))
    return position.sections[index].index(of: name)
  }

  private func deliver(_ line: ServerLine) {
    if isOver { return }
    guard case .event(let event) = line.kind else { return }
    guard let signal = line.string("signal") else {
      // The client as a whole was too slow, with `overflow=disconnect`.
      return finish(with: event, line)
    }
    if event == "next", let next = NextLine(line.text.span) { return deliver(next, line.text.span) }
    guard let index = section(of: line), grant.reads.contains(signal) else { return }
    // The end of the daemon does not end a signal: the stream reconnects.
    if line.isTemporaryEnding { return interrupt(line) }
    position.sections[index].note(event, line, signal)
    var bytes: [UInt8] = []
    EventFrame.append(event, id: event == "lagged" ? nil : position, data: line.text.span, to: &bytes)
    write(bytes)
    if isFinished { finish { body?.end() } }
  }

  /// True if each subscription is to a single signal, and all of these have ended.
  private var isFinished: Bool {
    zip(selection.patterns, position.sections).allSatisfy { pattern, section in
      pattern.isName && section.names.count == 1 && section[0].isEnded
    }
  }

  private func finish(with event: String, _ line: ServerLine) {
    var bytes: [UInt8] = []
    EventFrame.append(event, id: nil, data: line.text.span, to: &bytes)
    write(bytes)
    finish { body?.end() }
  }

  private func write(_ bytes: [UInt8]) {
    isQuiet = false
    body?.write(bytes)
    if body?.isFull == true { connection?.pause() }
  }

  func beat() {
    if isQuiet { body?.write(EventFrame.heartbeat) }
    isQuiet = true
  }

  // MARK: Opening and closing

  private func open() {
    if body != nil { return }
    let stream = context.stream(type: EventFrame.mediaType, to: call.exchange)
    stream.drained = { [unowned self] in connection?.resume() }
    stream.closed = { self.end() }
    body = stream
    stream.write("retry: 1000\n\n")
    context.add(self)
  }

  /// The daemon stops, and closes the connection; or it was replaced without this subscription, and may leave it open.
  private func interrupt(_ line: ServerLine) {
    // A pattern has a line for each signal.
    if connection == nil || line.string("reason") != "restarted" { return }
    lose(Problem(WireError(.restarted, "the daemon was replaced, and the subscription was not resumed")))
  }

  /// The connection to the daemon has failed or closed.
  ///
  /// A status would make a browser give up permanently.
  private func lose(_ problem: Problem) {
    connection?.close()
    connection = nil
    let isNews = opening == nil || body == nil
    opening = nil
    open()
    if isNews {
      var bytes: [UInt8] = []
      EventFrame.append("disconnected", problem.object, to: &bytes)
      write(bytes)
    }
    do throws(Errno) {
      if retry == nil { retry = try context.loop.addTimer { [unowned self] in connect() } }
      try retry?.set(.now() + backoff.pause())
    } catch { refuse(Problem(500, ErrorCode.internal.rawValue, "\(error)")) }
  }

  /// Reports a refusal of the daemon: as the response, or as the last event of an open stream.
  private func refuse(_ problem: Problem) {
    guard body != nil else { return finish { call.respond(problem) } }
    var bytes: [UInt8] = []
    EventFrame.append("refused", problem.object, to: &bytes)
    write(bytes)
    finish { body?.end() }
  }

  private func finish(_ last: () -> Void) {
    withExtendedLifetime(self) {
      connection?.close()
      connection = nil
      retry = nil
      opening = nil
      isOver = true
      last()
    }
  }

  private func end() {
    finish {}
    context.remove(self)
    body = nil
  }
}

extension NextLine {
  /// Returns the subscription that the value belongs to.
  fileprivate func section(of selection: EventSelection, _ line: Span<UInt8>) -> Int? {
    guard selection.patterns.count > 1 else { return 0 }
    guard let label else { return nil }
    let text = line.text(label)
    return selection.patterns.firstIndex { $0.text == text }
  }
}

extension Span<UInt8> {
  fileprivate func text(_ range: Range<Int>) -> String {
    extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}

extension EventPosition.Section {
  /// Updates the position for an event other than a value.
  fileprivate mutating func note(_ event: String, _ line: ServerLine, _ signal: String) {
    switch event {
    case _ where line.isEnding:
      guard let index = index(of: signal) else { return }
      self[index].isEnded = true
    case "renewed":
      guard let index = index(of: signal), let epoch = line.string("epoch") else { return }
      if self[index].epoch != epoch { self[index].epoch = epoch }
    case "subscribed":
      let epoch = line.string("epoch") ?? places.first?.epoch ?? ""
      set(signal, EventPlace(seq: UInt64(line.number("seq") ?? 0), epoch: epoch))
    default: break
    }
  }
}
