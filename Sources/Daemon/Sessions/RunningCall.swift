import GraphEngine
import GraphModel
import JSON
import Signals
import WireProtocol

/// A call of an action that a client waits for.
final class RunningCall {
  let id: RequestID
  private unowned let session: Session
  private var run: (any Disposable)?
  private var isOver = false

  init(_ id: RequestID, session: Session) {
    self.id = id
    self.session = session
  }

  /// Adopts the run, which may have ended already.
  func take(_ run: any Disposable) {
    if isOver { run.dispose() } else { self.run = run }
  }

  /// Delivers an event of the run to the client.
  func receive(_ event: RunEvent) {
    if isOver { return }
    switch event {
    case .next(let value): report(value)
    case .completed:
      session.sendBuffer.append { CallReply().append(to: &$0, id: id) }
      finish()
    case .failed(let failure, let status):
      var details = JSONObject()
      if let status { details["status"] = .number(Double(status)) }
      refuse(WireError(ErrorCode(ofFailedCall: failure), failure.message, details: details))
    case .timedOut: refuse(WireError(.timeout, "the action timed out and was stopped"))
    }
  }

  /// Ends the run after its client has disconnected.
  func end() {
    run?.dispose()
    finish()
  }

  /// Ends the run and answers the client with an error.
  func end(because error: WireError) {
    run?.dispose()
    refuse(error)
  }

  /// Outputs are never dropped, so a client that does not read them cannot continue the call.
  private func report(_ value: Payload) {
    if session.sendBuffer.isFull {
      return end(
        because: WireError(.failed, "the client read the outputs too slowly: action stopped (limits.output)"))
    }
    session.sendBuffer.append { CallEvent(call: id, value: value).append(to: &$0) }
  }

  private func refuse(_ error: WireError) {
    session.sendBuffer.append { Refusal(id: id, op: CallRequest.op, error).append(to: &$0) }
    finish()
  }

  private func finish() {
    isOver = true
    run = nil
    session.remove(self)
  }
}

extension ErrorCode {
  /// The code of a failed call: programs and methods have one, peers on the network several.
  fileprivate init(ofFailedCall failure: SignalFailure) {
    switch failure.code {
    case "http": self = .http
    case "connect": self = .connect
    case "tls": self = .tls
    case "too_large": self = .tooLarge
    case "timeout": self = .timeout
    default: self = .failed
    }
  }
}
