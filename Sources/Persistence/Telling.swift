import JSON
import Journal
import SignalGraph

/// Something that durable graphs have caused, to be told once what caused it is on disk.
enum Telling {
  /// A durable signal has made a value, which its mirror is to repeat; by what a client has sent, or by itself.
  case next(Payload, sequence: UInt64, of: RunningSignal, at: Int64, isSent: Bool)
  case ended(SignalEnding, of: RunningSignal, at: Int64, cause: String?)
  /// A value goes to an input of another graph.
  case value(Payload, to: String)
  /// A durable graph listens to a lazy signal of another graph, or does not any more.
  case listening(Bool, to: String)
  /// A durable signal has lost something, which its mirror is to count.
  case loss(Losses.Event, of: RunningSignal)
  /// An expression refused a value.
  case refusal(RefusedValue)
  /// A file is written.
  case writing(FileWriting)
  /// Something is done outside, such as that a program is run or a bus is asked, which holds about so many bytes.
  case deed(() -> Void, bytes: Int)
  /// A call of an action that a durable graph makes has something to tell the action's signals.
  case news(ActionNews, of: String)
  /// Signals that durable graphs have started anew do so elsewhere too, with others that were asked for.
  case renewal(Set<String>, (Set<String>) -> Void)
  /// All that follows was caused by a value that crossed from another graph, or by none.
  case chain(SendChain?)
  /// A client is answered, with an error where what it waits for cannot be written.
  case answer((StorageError?) -> Void)

  /// The mirror that is told an event.
  var mirror: RunningSignal? {
    switch self {
    case .next(_, _, let mirror, _, _), .ended(_, let mirror, _, _): mirror
    default: nil
    }
  }

  /// About how many bytes it takes.
  var weight: Int {
    switch self {
    case .next(let payload, _, _, _, _), .value(let payload, _): 80 + payload.approximateSize
    case .writing(let writing): 80 + writing.content.count
    case .news(.output(let payload), _): 80 + payload.approximateSize
    case .deed(_, let bytes): 80 + bytes
    default: 80
    }
  }
}
