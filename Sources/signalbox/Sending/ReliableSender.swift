internal import JSON
internal import Linux
internal import WireProtocol

/// The sender that repeats values with message ids until each is answered, over any number of connections.
final class ReliableSender {
  /// The most values in flight.
  static let window = 1000

  private let invocation: Invocation
  private let signal: String
  private let deadline: MonotonicInstant?
  /// The id of a single value, or the prefix of the ids of several.
  private let messageID: MessageID?
  private let run: String

  private var values: SentValues
  private var input = LineBuffer()
  private var isOpen = true
  private var count = 0
  /// The values without an answer, in order: a number and a request each.
  private var unanswered: [(number: Int, request: [UInt8])] = []
  /// The values that the daemon could not store, and the time of their next attempt.
  private var postponed: Set<Int> = []
  private var again: MonotonicInstant?
  private var refusals = Refusals()

  private var hadConnection = false
  private var isCutOff = false
  private var backoff = Backoff()
  private var generator = SystemRandomNumberGenerator()

  init(_ invocation: Invocation, signal: String, messageID: MessageID?) throws(CommandError) {
    self.invocation = invocation
    self.signal = signal
    self.messageID = messageID
    values = SentValues(isText: invocation.has("string"))
    deadline = try invocation.deadline("timeout")
    run = String(generator.next(), radix: 36) + String(generator.next(), radix: 36)
  }

  /// Sends values, or the lines of standard input for `-`, and returns once all are answered.
  func send(_ texts: [String]) throws(CommandError) {
    if texts != ["-"] {
      // The values from a command line are limited in size.
      for text in texts { add(Array(text.utf8)) }
      isOpen = false
    } else {
      refusals.unit = "line"
    }
    while !isDone {
      do throws(CommandError) { try serve(try connect()) } catch { try waitAfter(error) }
    }
    try refusals.report(of: count)
  }

  private var isDone: Bool { !isOpen && input.isEmpty && unanswered.isEmpty }

  private func add(_ text: [UInt8]) {
    count += 1
    do throws(CommandError) {
      var request = SendRequest(signal: signal, value: .value(try values.value(of: text)))
      request.messageID = messageID ?? MessageID("\(run)-\(count)")
      unanswered.append((count, request.line(id: RequestID(count))))
    } catch {
      refusals.add(count, error)
    }
  }

  // MARK: Connections

  private func connect() throws(CommandError) -> Connection {
    let connection = try invocation.connect()
    hadConnection = true
    if isCutOff { printError("signalbox: connected") }
    isCutOff = false
    return connection
  }

  private func waitAfter(_ error: CommandError) throws(CommandError) {
    // A socket that is being created may get its permissions a moment later.
    guard error.status == .unreachable || hadConnection && error.status == .denied else { throw error }
    if !isCutOff {
      isCutOff = true
      printError("signalbox: \(error.message ?? "connection lost"); retrying")
    }
    let again = MonotonicInstant.now() + backoff.pause(using: &generator)
    _ = try Waiting.wait(for: [], until: min(again, deadline ?? again))
    try checkTime()
  }

  private func checkTime() throws(CommandError) {
    guard let deadline, deadline <= .now() else { return }
    try refusals.report(of: count)
    throw CommandError(.notYet, "timed out: \(unanswered.count) of \(count) unacknowledged, delivery unknown")
  }

  private func serve(_ connection: Connection) throws(CommandError) {
    postponed.removeAll()
    again = nil
    try connection.send(unanswered.flatMap(\.request))
    while !isDone {
      try takeAnswers(of: connection)
      try sendPostponed(on: connection)
      if isDone { break }
      try takeInput(on: connection)
      try checkTime()
    }
  }

  // MARK: Input

  /// Waits for answers, and for more input if the window is open.
  private func takeInput(on connection: Connection) throws(CommandError) {
    if try sendLines(on: connection) { return }
    let soonest = [again, deadline].compactMap(\.self).min()
    var descriptors: [(number: Int32, readiness: Readiness)] = [(connection.descriptor, .readable)]
    if isOpen, unanswered.count < Self.window { descriptors.append((StandardStream.input.rawValue, .readable)) }
    let ready = try Waiting.wait(for: descriptors, until: soonest)
    if ready[0].contains(.readable) { try connection.receive() }
    if ready.count > 1, ready[1].contains(.readable) { try readMore() }
  }

  private func readMore() throws(CommandError) {
    do throws(Errno) {
      guard let chunk = try Transfer(StandardStream.input.rawValue).readChunk() else {
        isOpen = false
        return
      }
      input.append(chunk)
    } catch {
      throw CommandError(.unreadable, "standard input: \(error.reason)")
    }
  }

  /// Sends the available lines, as far as the window allows.
  private func sendLines(on connection: Connection) throws(CommandError) -> Bool {
    let before = unanswered.count
    while unanswered.count < Self.window, let line = input.next() ?? (isOpen ? nil : input.rest()) { addLine(line) }
    guard unanswered.count > before else { return false }
    try connection.send(unanswered[before...].flatMap(\.request))
    return true
  }

  private func addLine(_ line: ArraySlice<UInt8>) {
    if values.hasValue(line) { add(Array(line)) } else { count += 1 }
  }

  // MARK: Answers

  private func takeAnswers(of connection: Connection) throws(CommandError) {
    while let answer = try connection.nextAtHand() {
      guard case .reply = answer.kind else { continue }
      guard let number = answer.number else {
        // The limit on connections is reached, which may be temporary.
        if answer.errorCode == .tooMany { throw CommandError(.unreachable, answer.message) }
        if let failure = answer.failure { throw failure }
        continue
      }
      take(answer, of: number)
    }
  }

  private func take(_ answer: ServerLine, of number: Int) {
    // A value that cannot be stored now, or by a daemon that is ending, is retried.
    if let code = answer.errorCode, [.storage, .unavailable, .shuttingDown].contains(code) {
      postponed.insert(number)
      if again == nil { again = .now() + backoff.pause(using: &generator) }
      return
    }
    backoff.reset()
    if let index = unanswered.firstIndex(where: { $0.number == number }) { unanswered.remove(at: index) }
    postponed.remove(number)
    if let failure = answer.failure { refusals.add(number, failure) }
  }

  private func sendPostponed(on connection: Connection) throws(CommandError) {
    guard let time = again, time <= .now() else { return }
    again = nil
    let requests = unanswered.filter { postponed.contains($0.number) }.flatMap(\.request)
    postponed.removeAll()
    try connection.send(requests)
  }
}
