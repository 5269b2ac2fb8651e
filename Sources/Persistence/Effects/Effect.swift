import GraphEngine
import GraphModel
import JSON
import StateLog

/// An effect of durable graphs, released once its cause is on disk.
enum Effect {
  /// A value of a durable signal for its mirror, with the key of `group_by` that has emitted it; `isSent` if a client
  /// sent its cause.
  case next(Payload, sequence: UInt64, of: RunningSignal, EmittingKey?, at: Int64, isSent: Bool)
  case ended(SignalEnding, of: RunningSignal, at: Int64, cause: String?)
  /// A value for an input of another graph.
  case value(Payload, to: String)
  /// Durable graphs have subscribed to a lazy signal of another graph, or cancelled that.
  case listening(Bool, to: String)
  /// A durable signal keeps its newest value from now on.
  case holding(RunningSignal)
  /// The end of a key of `group_by` in a durable signal, for the metric of its mirror.
  case keyEnd(EmittingKey, of: RunningSignal)
  /// A loss of a durable signal, counted by its mirror.
  case loss(Losses.Event, of: RunningSignal)
  /// An expression rejected a value.
  case refusal(RefusedValue)
  /// A file write.
  case writing(FileWriting)
  /// An external effect, such as starting a program or calling a bus method, with its approximate size.
  case external(() -> Void, bytes: Int)
  /// An event of an action's call by a durable graph, for the action's signals.
  case actionEvent(ActionEvent, of: String)
  /// A restart of durable signals, repeated by the other runtime, together with other requested signals.
  case restart(Set<String>, RestartExtent)
  /// The cause of all following effects: a value that crossed from another graph, or none.
  case chain(SendChain?)
  /// The reply to a client, with an error if its cause cannot be written.
  case answer((StorageError?) -> Void)

  /// The extent of a restart.
  enum RestartExtent {
    /// The ended signals among the named ones and their dependents.
    case ended
    /// The named signals and all dependents, since a reload has replaced the originals.
    case replaced
  }

  /// The mirror that receives the event.
  var mirror: RunningSignal? {
    switch self {
    case .next(_, _, let mirror, _, _, _), .ended(_, let mirror, _, _): mirror
    default: nil
    }
  }

  /// The approximate size in bytes.
  var weight: Int {
    switch self {
    case .next(let payload, _, _, _, _, _), .value(let payload, _): 80 + payload.approximateSize
    case .writing(let writing): 80 + writing.content.count
    case .actionEvent(.output(let payload), _): 80 + payload.approximateSize
    case .external(_, let bytes): 80 + bytes
    default: 80
    }
  }
}
