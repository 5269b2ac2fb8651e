internal import JSON
internal import WireProtocol

/// The opening of a stream: the replies to its subscriptions, and the events up to the point where it is live.
///
/// Retained values arrive one signal after the other. They are collected until all are there, since the position with
/// each event has to state for every other signal whether its value was delivered already.
struct StreamOpening {
  enum Step {
    case more
    /// The position of a subscription has expired, with the daemon's message.
    case expired(Int, JSONValue)
    case open(Opened)
  }

  struct Opened {
    var position: EventPosition
    /// The events so far, not delivered yet.
    var events: [ServerLine]
  }

  private let selection: EventSelection
  private let position: EventPosition
  private let grant: Grant
  /// The daemon's epoch, which applies to signals without their own.
  private var epoch = ""
  private var replies: [Int: ServerLine] = [:]
  private var events: [ServerLine] = []
  private var size = 0

  /// The most bytes to collect.
  private static let mostGathered = 8 << 20

  init(_ selection: EventSelection, _ position: EventPosition, for grant: Grant) {
    self.grant = grant
    self.selection = selection
    self.position = position
  }

  /// Requests are numbered: `hello`, the subscriptions, and a `ping` that is answered after all retained values.
  func ask(_ connection: DaemonConnection) {
    connection.send(HelloRequest(), id: 0)
    for index in selection.patterns.indices {
      connection.send(selection.request(index, from: position.sections[index]), id: index + 1)
    }
    connection.send(PingRequest(), id: selection.patterns.count + 1)
  }

  mutating func take(_ line: ServerLine) throws(Problem) -> Step {
    guard case .reply = line.kind else {
      size += line.text.count
      if size > Self.mostGathered {
        throw Problem(
          413, ErrorCode.tooLong.rawValue,
          "the retained values exceed \(Self.mostGathered) bytes: request fewer with \"replay\"")
      }
      if line.string("signal").map(grant.reads.contains) ?? true { events.append(line) }
      return .more
    }
    let id = line.number("id") ?? 0
    if line.isRefusal {
      let index = id - 1
      guard position.sections.indices.contains(index), !position.sections[index].names.isEmpty,
        line.errorCode == .expired || line.errorCode == .badRequest
      else { throw Problem(line) }
      var notice = Problem(line).members
      notice["signal"] = .string(selection.patterns[index].text)
      notice["message"] = .string(line.message)
      return .expired(index, .object(notice))
    }
    switch id {
    case 0: epoch = line.string("epoch") ?? ""
    case 1...selection.patterns.count: replies[id - 1] = line
    default: return .open(opened())
    }
    return .more
  }

  private func opened() -> Opened {
    var position = position
    for (index, pattern) in selection.patterns.enumerated() {
      guard let reply = replies[index] else { continue }
      let signals = reply.objects("signals").filter { grant.reads.contains($0.text("signal")) }
      let names = Set(signals.map { $0.text("signal") })
      position.sections[index].keep(names.contains)
      for signal in signals {
        let name = signal.text("signal")
        let own = signal["epoch"].map(\.plainText) ?? reply.string("epoch") ?? epoch
        // A number of another epoch is not a position in the present one.
        if let place = position.sections[index][name], place.epoch == own { continue }
        let seq = first(name, pattern).map { $0 - 1 } ?? UInt64(exactly: signal.number("seq")) ?? 0
        position.sections[index].set(name, EventPlace(seq: seq, epoch: own))
      }
    }
    return Opened(position: position, events: events)
  }

  /// Returns the number of the first value of a signal to deliver.
  private func first(_ name: String, _ pattern: SignalPattern) -> UInt64? {
    let event = events.first { event in
      guard case .event("next") = event.kind, event.string("signal") == name else { return false }
      return selection.patterns.count == 1 || event.string("subscription") == pattern.text
    }
    return event?.number("seq").flatMap { UInt64(exactly: $0) }
  }
}
