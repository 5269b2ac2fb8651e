import GraphModel
import JSON
import Signals

/// A method of an object on a bus, called as the work of a call.
final class MethodWork: CallWork, StateFields {
  private let declared: DeclaredMethod
  private let action: String
  private var arguments: [JSONValue] = []
  /// The number of the attachment that receives the answer.
  private var number: UInt64 = 0
  /// The pending request, disposed of when its answer is no longer needed.
  private var request: (any Disposable)?
  /// The error in the arguments; the service is not called then.
  private var problem: SignalFailure?
  private var timer: GraphTimer?

  init(_ declared: DeclaredMethod, of action: String) {
    self.declared = declared
    self.action = action
  }

  func code(_ field: inout StateCoder<MethodWork>) throws(StateError) {
    try field(&number)
    try field(&arguments)
    try field(&problem)
  }

  func start(with value: Payload?, for call: any WorkingCall) {
    do throws(SignalFailure) {
      arguments = try declared.arguments(for: value?.value ?? .null, of: action, call.engine)
    } catch {
      problem = error
    }
    resume(for: call)
  }

  func resume(for call: any WorkingCall) {
    guard let problem else { return ask(for: call) }
    // Like an error from the bus, it arrives only after the call has begun.
    let clock = call.engine.clock
    timer = clock.schedule(at: clock.now) { call.finish(problem, status: nil) }
  }

  /// Finishes the call; the service completes the method, but its answer is ignored.
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
