import JSON
import ReactiveCore

/// A method of an object on a bus that is called for a call.
final class MethodWork: CallWork {
  private let declared: DeclaredMethod
  private let action: String
  private var arguments: [JSONValue] = []
  /// The number under which the answer comes.
  private var number: UInt64 = 0
  /// The request that is under way, to be disposed of when nobody wants its answer any more.
  private var request: (any Disposable)?
  /// The mistake in the arguments, for which the service is not asked.
  private var mistake: SignalFailure?
  private var timer: GraphTimer?

  init(_ declared: DeclaredMethod, of action: String) {
    self.declared = declared
    self.action = action
  }

  func store(in writer: inout StateWriter) {
    number.store(in: &writer)
    arguments.store(in: &writer)
    mistake.store(in: &writer)
  }

  func restore(from reader: inout StateReader) throws(StateError) {
    number = try UInt64(from: &reader)
    arguments = try [JSONValue](from: &reader)
    mistake = try SignalFailure?(from: &reader)
  }

  func start(with value: Payload?, for call: any WorkingCall) {
    do throws(SignalFailure) {
      arguments = try declared.arguments(for: value?.value ?? .null, of: action, call.engine)
    } catch {
      mistake = error
    }
    goOn(for: call)
  }

  func goOn(for call: any WorkingCall) {
    guard let mistake else { return ask(for: call) }
    // As the bus tells a mistake: not before the call has begun.
    let clock = call.engine.clock
    timer = clock.schedule(at: clock.now) { call.finish(mistake, status: nil) }
  }

  /// The service goes on with what it was asked for: nobody hears of it.
  func terminate(for call: any WorkingCall) {
    request.take()?.dispose()
    if let timer = timer.take() { call.engine.clock.cancel(timer) }
    call.finish(nil, status: nil)
  }

  private func ask(for call: any WorkingCall) {
    let world = call.world
    number = world.number(after: number)
    request = world.numbered(number).buses.call(declared.method(for: action), with: arguments) { answer in
      switch answer {
      case .returned(let values):
        if let value = values.together { call.put(.value(value)) }
        call.finish(nil, status: nil)
      case .failed(let failure): call.finish(failure, status: nil)
      }
    }
  }
}
