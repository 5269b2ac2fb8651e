import GraphModel
import JSON
import Signals

/// A request to a peer on the network that is made for a call.
final class RequestWork: CallWork, StateFields {
  private let declared: any NetworkRequest
  private let action: String
  private var value = Payload.value(.null)
  private var request = JSONObject()
  /// The number that the answer carries.
  private var number: UInt64 = 0
  /// The task, to be disposed of once the call does not wait for it any more.
  private var task: (any Disposable)?
  /// The error in the request, which then is not made.
  private var problem: SignalFailure?
  private var timer: GraphTimer?

  init(_ declared: any NetworkRequest, of action: String) {
    self.declared = declared
    self.action = action
  }

  func code(_ field: inout StateCoder<RequestWork>) throws(StateError) {
    try field(&number)
    try field(&value)
    try field(&request)
    try field(&problem)
  }

  func start(with value: Payload?, for call: any WorkingCall) {
    self.value = value ?? .value(.null)
    do throws(SignalFailure) {
      request = try declared.request(for: self.value.value, of: action, call.engine)
    } catch {
      problem = error
    }
    resume(for: call)
  }

  func resume(for call: any WorkingCall) {
    guard let problem else { return ask(for: call) }
    // Not before the call has begun, as an answer from outside.
    let clock = call.engine.clock
    timer = clock.schedule(at: clock.now) {
      call.finish(problem, status: nil, RetryAdvice(isUseful: false))
    }
  }

  func terminate(for call: any WorkingCall) {
    task.take()?.dispose()
    if let timer = timer.take() { call.engine.clock.cancel(timer) }
    call.finish(nil, status: nil)
  }

  private func ask(for call: any WorkingCall) {
    let world = call.world
    number = world.number(after: number)
    let asked = NetworkTask(
      owner: action, kind: declared.connection.kind, connection: declared.connection.name, value: value,
      request: request, settings: declared.settings, attempt: call.attempt, key: call.key, timeout: call.timeout)
    task = world.numbered(number).network.carryOut(asked) { answer in
      switch answer {
      case .progress(let value): call.put(.value(value))
      case .done(let value):
        if let value { call.put(.value(value)) }
        call.finish(nil, status: nil)
      case .failed(let failure, let status, let advice): call.finish(failure, status: status, advice)
      }
    }
  }
}
