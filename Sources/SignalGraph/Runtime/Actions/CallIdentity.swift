import JSON
import ReactiveCore

/// The marks by which a program knows a call again that is made once more.
struct CallIdentity {
  /// Counts the calls of one operator, from 1.
  private(set) var number: UInt64 = 0
  /// The same for each try, and after a restart.
  private(set) var message = ""
  private(set) var input = Payload.value(.null)

  init() {}

  /// One that no other call has, of any signal or any run of the daemon.
  init(number: UInt64, in context: OperatorContext, _ input: Payload) {
    self.number = number
    self.input = input
    message = "\(context.signal.name)-\(context.clock.microseconds)-\(context.engine.nextRun())"
  }
}

extension CallIdentity: Storable {
  func store(in writer: inout StateWriter) {
    number.store(in: &writer)
    message.store(in: &writer)
    input.store(in: &writer)
  }

  init(from reader: inout StateReader) throws(StateError) {
    number = try UInt64(from: &reader)
    message = try String(from: &reader)
    input = try Payload(from: &reader)
  }
}
