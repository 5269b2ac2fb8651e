internal import JSON
internal import WireProtocol

/// The daemon's statistics at one time: an answer to `stats`.
struct Sample {
  /// The counts of one signal.
  struct Counts {
    let values: Double
    let subscribers: Double
    let errors: Double
    let dropped: Double
    let lost: Double
    /// The number of values that wait for calls of actions, or are called for.
    let waiting: Double
    /// Seconds since the oldest of these has arrived, if any waits.
    let oldest: Double?
    /// The last failure of such a call, or of the source.
    let failure: String?
    /// The number of iterations with deliveries to subscribers, and their total time in seconds.
    let deliveries: Double
    let latency: Double
    /// Seconds since the last value; `nil` before the first.
    let age: Double?
    /// Its end, if it has one: `failed`.
    let ending: String?

    init(_ object: JSONObject) {
      values = object.number("seq")
      subscribers = object.number("subscribers")
      errors = object.number("errors")
      dropped = object.number("dropped")
      lost = object.number("lost")
      let calls = object.object("calls")
      waiting = calls.number("waiting")
      oldest = calls["age"] == nil ? nil : calls.number("age")
      let failed = [calls["error"], object["failure"]].compactMap { $0?.members }.filter { !$0.isEmpty }
      failure = failed.min { $0.number("age") < $1.number("age") }?.text("code")
      deliveries = object.object("latency").number("count")
      latency = object.object("latency").number("sum")
      age = object["age"] == nil ? nil : object.number("age")
      ending = object["ended"] == nil ? nil : object.object("ended").text("event")
    }
  }

  let daemon: JSONObject
  /// The number of connections that are away.
  let awayCount: Int
  let signals: [(name: String, counts: Counts)]
  private let places: [String: Int]

  init(_ answer: ServerLine, _ pattern: SignalPattern?) throws(CommandError) {
    let object = answer.object
    guard case .object(let daemon)? = object["daemon"], case .object(let signals)? = object["signals"] else {
      throw CommandError.deniedCounts
    }
    self.daemon = daemon
    awayCount = object.object("connections").members.count { connection in
      if case .object(let members) = connection.value.plain { members.text("state") == "away" } else { false }
    }
    self.signals = signals.members.compactMap { member in
      guard case .object(let counts) = member.value, pattern?.matches(member.key) ?? true else { return nil }
      return (member.key, Counts(counts))
    }
    places = Dictionary(uniqueKeysWithValues: self.signals.enumerated().map { ($1.name, $0) })
  }

  /// Seconds since the daemon's start.
  var uptime: Double { daemon.number("uptime") }

  subscript(signal: String) -> Counts? { places[signal].map { signals[$0].counts } }
}
