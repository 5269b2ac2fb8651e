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
      let target = queue.text("connection")
      return target.isEmpty
        ? "the calls of \(queue.text("action")) by \(queue.text("signal"))"
        : "the messages of \(queue.text("signal")) for \(target)"
    }
    return MarkedText("paused: the queue is full for \(full.joined(separator: ", and for "))", .warning)
  }
}
