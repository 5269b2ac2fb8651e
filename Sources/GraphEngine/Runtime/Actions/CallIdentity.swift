import JSON
import Signals

/// The identity of a call, which lets a program recognize a repetition.
struct CallIdentity {
  /// The number of the call among those of one operator, from 1.
  private(set) var number: UInt64 = 0
  /// The message id, equal for all tries and after a restart.
  private(set) var message = ""
  private(set) var input = Payload.value(.null)

  init() {}

  /// Creates an identity that is unique among the calls of all signals and all runs of the daemon.
  init(number: UInt64, in context: OperatorContext, _ input: Payload) {
    self.number = number
    self.input = input
    message = "\(context.signal.name)-\(context.clock.microseconds)-\(context.engine.nextRun())"
  }
}

extension CallIdentity {
  /// The time of its beginning in microseconds since 1970, as its name has it.
  var time: Int64? {
    let parts = message.split(separator: "-")
    return parts.count < 3 ? nil : Int64(parts[parts.count - 2])
  }
}

extension CallIdentity: StateRecord {
  init(_ field: inout StateCoder<Self>) throws(StateError) {
    number = try field(\.number)
    message = try field(\.message)
    input = try field(\.input)
  }
}
