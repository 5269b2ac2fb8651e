internal import JSON
internal import Linux
internal import WireProtocol

/// The sender of values in sequence, which collects the answers; the id of each is the number of its value or line.
final class Sender {
  private let connection: Connection
  private let signal: String
  private let messageID: MessageID?
  private var values: SentValues
  /// Requests to be sent together.
  private var requests: [UInt8] = []
  private var count = 0
  private var unanswered = 0
  private var refusals = Refusals()

  /// - Parameters:
  ///   - isText: True if values are plain strings, not JSON.
  ///   - messageID: The message id of a single value.
  init(_ connection: Connection, signal: String, isText: Bool, messageID: MessageID?) {
    self.connection = connection
    self.signal = signal
    self.messageID = messageID
    values = SentValues(isText: isText)
  }

  func send(_ ending: SendRequest) {
    var request = ending
    request.signal = signal
    add(request)
  }

  func send(text: [UInt8]) {
    do throws(CommandError) {
      add(SendRequest(signal: signal, value: .value(try values.value(of: text))))
    } catch {
      count += 1
      refusals.add(count, error)
    }
  }

  private func add(_ request: SendRequest) {
    count += 1
    unanswered += 1
    var request = request
    request.messageID = messageID
    requests += request.line(id: RequestID(count))
  }

  /// Sends each line of standard input as soon as it is available.
  func sendStandardInput() throws(CommandError) {
    refusals.unit = "line"
    let input = Transfer(StandardStream.input.rawValue)
    var buffer = LineBuffer()
    while true {
      let ready = try Waiting.wait(
        for: [(StandardStream.input.rawValue, .readable), (connection.descriptor, .readable)], until: nil)
      if ready[1].contains(.readable) { try connection.receive() }
      try takeAnswersAtHand()
      guard ready[0].contains(.readable) else { continue }
      guard let chunk = try read(input) else { break }
      buffer.append(chunk)
      while let line = buffer.next() { sendLine(line) }
      try flush()
    }
    if let line = buffer.rest() { sendLine(line) }
  }

  private func read(_ input: Transfer) throws(CommandError) -> [UInt8]? {
    do throws(Errno) { return try input.readChunk() } catch {
      throw CommandError(.unreadable, "standard input: \(error.reason)")
    }
  }

  /// Sends a line unless it is blank.
  private func sendLine(_ line: ArraySlice<UInt8>) {
    if values.hasValue(line) { send(text: Array(line)) } else { count += 1 }
  }

  private func flush() throws(CommandError) {
    defer { requests.removeAll(keepingCapacity: true) }
    try connection.send(requests)
    try takeAnswersAtHand()
  }

  private func takeAnswersAtHand() throws(CommandError) {
    while let answer = try connection.nextAtHand() { take(answer) }
  }

  private func take(_ answer: ServerLine) {
    guard case .reply = answer.kind else { return }
    unanswered -= 1
    if let failure = answer.failure {
      refusals.add(answer.number, failure)
    } else if answer["duplicate"] != nil {
      printError("signalbox: duplicate message: already accepted")
    }
  }

  /// Waits for the last answer and reports refusals.
  ///
  /// - Throws: The first refusal.
  func finish() throws(CommandError) {
    try flush()
    while unanswered > 0, let answer = try connection.next() { take(answer) }
    try refusals.report(of: count)
  }
}
