internal import ClientCore
internal import JSON
internal import Linux
internal import WireProtocol

/// The sender of values in sequence; the id of each request is the number of its value or line.
///
/// A reliable one gives each value a message id and repeats it until it is answered, over any number of connections.
final class Sender {
  /// The most unanswered values of a reliable sender.
  private static let window = 1000

  private let invocation: Invocation
  private let signal: String
  private let isReliable: Bool
  private let deadline: MonotonicInstant?
  /// The id of a single value.
  private let messageID: MessageID?
  /// The prefix of the ids of several values.
  private let run: String

  private var values: SentValues
  private var input = LineBuffer()
  /// True while standard input may have more lines.
  private var isOpen = false
  private var count = 0
  private var requests = UnansweredRequests()
  /// The time of the next attempt with the values that the daemon could not store.
  private var again: MonotonicInstant?
  private var refusals = Refusals()

  private var hadConnection = false
  private var isCutOff = false
  private var backoff = Backoff()

  init(_ invocation: Invocation, signal: String, messageID: MessageID?) throws(CommandError) {
    self.invocation = invocation
    self.signal = signal
    self.messageID = messageID
    isReliable = invocation.has("reliable")
    values = SentValues(isText: invocation.has("string"))
    deadline = try invocation.deadline("timeout")
    run = (0..<2).map { _ in String(UInt64.random(in: 0...(.max)), radix: 36) }.joined()
  }

  /// Sends an ending.
  func send(_ ending: SendRequest) throws(CommandError) {
    var request = ending
    request.signal = signal
    count += 1
    add(request)
    try sendAll()
  }

  /// Sends values, or the lines of standard input for `-`, and returns once all are answered.
  ///
  /// - Throws: The first refusal.
  func send(_ texts: [String]) throws(CommandError) {
    isOpen = texts == ["-"]
    // The values from a command line are limited in size.
    if isOpen { refusals.unit = "line" } else { for text in texts { add(Array(text.utf8)[...]) } }
    try sendAll()
  }

  private func add(_ text: ArraySlice<UInt8>) {
    count += 1
    do throws(CommandError) {
      add(SendRequest(signal: signal, value: .value(try values.value(of: Array(text)))))
    } catch {
      refusals.add(count, error)
    }
  }

  private func add(_ request: SendRequest) {
    var request = request
    request.messageID = messageID ?? (isReliable ? MessageID("\(run)-\(count)") : nil)
    requests.add(request.line(id: RequestID(count)), number: count, isRepeatable: isReliable)
  }

  // MARK: Connections

  private func sendAll() throws(CommandError) {
    while !isDone {
      do throws(CommandError) { try serve(try connect()) } catch { try waitAfter(error) }
    }
    try refusals.report(of: count)
  }

  private var isDone: Bool { !isOpen && input.isEmpty && requests.isEmpty }

  private func connect() throws(CommandError) -> Connection {
    let connection = try invocation.connect()
    hadConnection = true
    if isCutOff { printError("signalbox: connected") }
    isCutOff = false
    return connection
  }

  private func waitAfter(_ error: CommandError) throws(CommandError) {
    // A socket that is being created may get its permissions a moment later.
    let mayRetry = error.status == .unreachable || hadConnection && error.status == .denied
    guard isReliable, mayRetry else { throw error }
    if !isCutOff {
      isCutOff = true
      printError("signalbox: \(error.message ?? "connection lost"); retrying")
    }
    let again = MonotonicInstant.now() + backoff.pause()
    _ = try Waiting.wait(for: [], until: min(again, deadline ?? again))
    try checkTime()
  }

  private func checkTime() throws(CommandError) {
    guard let deadline, deadline <= .now() else { return }
    try refusals.report(of: count)
    throw CommandError(.notYet, "timed out: \(requests.count) of \(count) unacknowledged, delivery unknown")
  }

  private func serve(_ connection: Connection) throws(CommandError) {
    again = nil
    _ = requests.reconnect()
    while true {
      try connection.send(requests.takeUnwritten())
      try takeAnswers(of: connection)
      if addLines() || resumePostponed() { continue }
      if isDone { return }
      try wait(for: connection)
      try checkTime()
    }
  }

  /// Waits for answers, and for more input if the window is open.
  private func wait(for connection: Connection) throws(CommandError) {
    var descriptors: [(number: Int32, readiness: Readiness)] = [(connection.descriptor, .readable)]
    if isOpen, hasRoom { descriptors.append((StandardStream.input.rawValue, .readable)) }
    let ready = try Waiting.wait(for: descriptors, until: [again, deadline].compactMap(\.self).min())
    if ready[0].contains(.readable) { try connection.receive() }
    if ready.count > 1, ready[1].contains(.readable) { try readInput() }
  }

  private func resumePostponed() -> Bool {
    guard let time = again, time <= .now() else { return false }
    again = nil
    requests.resume()
    return true
  }

  // MARK: Input

  private var hasRoom: Bool { !isReliable || requests.count < Self.window }

  private func readInput() throws(CommandError) {
    do throws(Errno) {
      let chunk = try Transfer(StandardStream.input.rawValue).read(upTo: 64 << 10)
      isOpen = chunk?.isEmpty != true
      input.append(chunk ?? [])
    } catch {
      throw CommandError(.unreadable, "standard input: \(error.reason)")
    }
  }

  /// Adds the available lines, as far as the window allows; `false` if there is none.
  ///
  /// Behind a postponed one they wait, so that none of them is accepted before it.
  private func addLines() -> Bool {
    let before = count
    while again == nil, hasRoom, let line = input.next() ?? (isOpen ? nil : input.rest()) {
      if values.hasValue(line) { add(line) } else { count += 1 }
    }
    return count > before
  }

  // MARK: Answers

  private func takeAnswers(of connection: Connection) throws(CommandError) {
    while let answer = try connection.nextAtHand() {
      guard case .reply = answer.kind else { continue }
      guard let number = answer.number("id") else {
        // The limit on connections is reached, which may be temporary.
        if isReliable, answer.errorCode == .tooMany { throw CommandError(.unreachable, answer.message) }
        if let failure = answer.failure { throw failure }
        continue
      }
      take(answer, of: number)
    }
  }

  private func take(_ answer: ServerLine, of number: Int) {
    // A value that cannot be stored now, or by a daemon that is ending, is retried.
    if isReliable, let code = answer.errorCode, [.storage, .unavailable, .shuttingDown].contains(code) {
      requests.postpone(number)
      if again == nil { again = .now() + backoff.pause() }
      return
    }
    backoff.reset()
    requests.answer(number)
    if let failure = answer.failure {
      refusals.add(number, failure)
    } else if !isReliable, answer["duplicate"] != nil {
      printError("signalbox: duplicate message: already accepted")
    }
  }
}
