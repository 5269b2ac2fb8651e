internal import GraphModel
internal import JSON
internal import WireProtocol

/// The full queues that the senders or the source of a signal wait for.
struct PauseText {
  private let queues: [JSONObject]

  /// - Parameter description: A signal in the replies to `list` and `describe`.
  init?(description: JSONObject) {
    guard case .array(let pauses)? = description["paused_by"]?.plain, !pauses.isEmpty else { return nil }
    queues = pauses.compactMap { if case .object(let queue) = $0.plain { queue } else { nil } }
  }

  /// The text for a column: `paused by climate.told`.
  var short: MarkedText {
    MarkedText("paused by \(queues.map { $0.text("signal") }.joined(separator: ", "))", .warning)
  }

  /// The line of a description.
  var line: MarkedText {
    let full = queues.map { queue in
      let (action, target) = (queue.text("action"), queue.text("connection"))
      if !target.isEmpty { return "the messages of \(queue.text("signal")) for \(target)" }
      return "the calls\(action.isEmpty ? "" : " of \(action)") by \(queue.text("signal"))"
    }
    return MarkedText("paused: the queue is full for \(full.joined(separator: ", and for "))", .warning)
  }
}
