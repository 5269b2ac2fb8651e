import Linux

/// A client that outlives its daemon: it repeats unanswered requests, and resumes its subscriptions.
final class PersistentClient {
  /// The events of one signal, across all connections.
  private struct Stream {
    var last: UInt64 = 0
    var epoch: String?
    var hasEnded = false
    var events: [String] = []
  }

  private final class Connection {
    let socket: OwnedDescriptor

    init(_ path: String) throws {
      socket = try UnixSocket.connect(path: path)
      try socket.setBlocking(false)
    }
  }

  let name: String
  private let input: String
  private let isNaming: Bool
  private let path: String
  private var connection: Connection?
  private var received: [UInt8] = []
  private var streams: [String: Stream]
  private let order: [String]
  /// The unanswered lines, by their numbers.
  private var unanswered: [(number: Int, line: String)] = []
  private var count = 0
  /// The answers: the sequence number that a message has got on the input.
  private(set) var answers: [Int: UInt64] = [:]
  private(set) var duplicates = 0
  /// Violations of the protocol.
  private(set) var faults: [String] = []
  private var isPinged = false

  /// - Parameters:
  ///   - input: The signal that it sends to.
  ///   - signals: The subscribed signals.
  ///   - isNaming: Pass `true` to give each message an id, as only durable graphs accept.
  init(_ name: String, to input: String, hearing signals: [String], at path: String, isNaming: Bool = true) {
    self.isNaming = isNaming
    self.name = name
    self.input = input
    self.path = path
    order = signals
    streams = Dictionary(uniqueKeysWithValues: signals.map { ($0, Stream()) })
  }

  var hasAnswers: Bool { unanswered.isEmpty }

  /// Returns the events of a signal.
  func events(of signal: String) -> [String] { streams[signal]?.events ?? [] }

  // MARK: Connections

  func connect() throws {
    connection = try Connection(path)
    received = []
    // Half of them subscribe after their repeated requests.
    let again = unanswered.map(\.line)
    let subscriptions = order.compactMap(subscription)
    for line in count % 2 == 0 ? again + subscriptions : subscriptions + again { write(line) }
  }

  private func subscription(to signal: String) -> String? {
    guard let stream = streams[signal], !stream.hasEnded else { return nil }
    let place = stream.epoch.map { #""from":\#(stream.last),"epoch":"\#($0)""# } ?? #""replay":100000"#
    return #"{"op":"subscribe","signal":"\#(signal)",\#(place)}"#
  }

  /// Sends a value, once.
  ///
  /// - Parameter value: Makes the value from its identifying name.
  func send(_ value: (String) -> String) {
    count += 1
    let line =
      #"{"op":"send","signal":"\#(input)","value":\#(value("\(name)-\(count)")),"#
      + (isNaming ? #""message_id":"\#(name)-\#(count)","# : "") + #""id":\#(count)}"#
    unanswered.append((count, line))
    write(line)
  }

  func ping() {
    isPinged = true
    write("ping")
  }

  /// True once all that precedes the `ping` has arrived.
  var hasPong: Bool { !isPinged }

  private func write(_ line: String) {
    guard let connection else { return }
    var rest = Array("\(line)\n".utf8)[...]
    while !rest.isEmpty {
      do {
        switch try rest.withUnsafeBytes({ try connection.socket.transfer.send($0) }) {
        case .bytes(let count): rest = rest.dropFirst(count)
        case .wouldBlock: _ = try connection.socket.transfer.wait(for: .writable, timeout: .milliseconds(10))
        }
      } catch {
        // The daemon is gone; its earlier output can still be read.
        return
      }
    }
  }

  /// Reads the available bytes.
  ///
  /// - Returns: True while the connection is open.
  @discardableResult func read(waiting patience: Duration = .zero) -> Bool {
    guard let connection else { return false }
    if patience > .zero { _ = try? connection.socket.transfer.wait(for: .readable, timeout: patience) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      switch try? bytes.withUnsafeMutableBytes({ try connection.socket.transfer.read(into: $0) }) {
      case .bytes(let count):
        received += bytes.prefix(count)
        takeLines()
      case .wouldBlock: return true
      case .end, nil: return false
      }
    }
  }

  /// Reads the remaining output of a daemon that is gone.
  func drain() {
    while read(waiting: .milliseconds(1)) {}
    connection = nil
    isPinged = false
  }

  // MARK: Lines

  private func takeLines() {
    var start = received.startIndex
    while let end = received[start...].firstIndex(of: 0x0a) {
      take(String(decoding: received[start..<end], as: UTF8.self))
      start = end + 1
    }
    received.removeFirst(start)
  }

  private func take(_ line: String) {
    switch line.text(behind: #"{"reply":""#) ?? line.text(behind: #"{"event":""#) {
    case "send": takeAnswer(line)
    case "subscribe":
      guard let signal = line.text(behind: #""signal":""#) else { return faults.append(line) }
      streams[signal]?.epoch = line.text(behind: #""epoch":""#)
    case "ping": isPinged = false
    case "next": takeValue(line)
    case "completed", "failed", "interrupted": takeEnding(line)
    case "error" where line.contains(#""code":"shutting_down""#): break
    default: faults.append(line)
    }
  }

  private func takeAnswer(_ line: String) {
    guard let number = line.number(behind: #""id":"#).map({ Int($0) }), unanswered.first?.number == number else {
      return faults.append("not in turn: \(line)")
    }
    unanswered.removeFirst()
    if line.contains(#""duplicate":true"#) { duplicates += 1 }
    answers[number] = line.number(behind: #""seq":"#) ?? 0
  }

  private func takeValue(_ line: String) {
    guard let signal = line.text(behind: #""signal":""#), let number = line.number(behind: #""seq":"#),
      let value = line.range(of: #""value":"#)
    else { return faults.append(line) }
    if number != (streams[signal]?.last ?? 0) + 1 { faults.append("after \(streams[signal]?.last ?? 0): \(line)") }
    streams[signal]?.last = number
    streams[signal]?.events.append("\(signal)#\(number) \(line[value.upperBound...].dropLast())")
  }

  private func takeEnding(_ line: String) {
    guard let signal = line.text(behind: #""signal":""#), let event = line.text(behind: #"{"event":""#) else {
      return faults.append(line)
    }
    // The daemon's shutdown does not end the signal.
    if line.contains(#""reason":"shutting_down""#) { return }
    streams[signal]?.hasEnded = true
    let error =
      line.text(behind: #""code":""#).map { " \($0): \(line.text(behind: #""message":""#) ?? "")" } ?? ""
    streams[signal]?.events.append("\(signal) \(event)\(error)")
  }
}

extension String {
  fileprivate func range(of part: String) -> Range<Index>? { ranges(of: part).first }
}
