import JSON
import ReactiveCore
import SignalGraph
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

  /// Takes the run over, which may have ended already.
  func take(_ run: any Disposable) {
    if isOver { run.dispose() } else { self.run = run }
  }

  /// Takes an event of the run and tells the client.
  func receive(_ event: SignalGraph.CallEvent) {
    if isOver { return }
    switch event {
    case .next(let value): tell(value)
    case .completed:
      session.outbox.append { CallReply().append(to: &$0, id: id) }
      finish()
    case .failed(let failure, let status):
      var details = JSONObject()
      if let status { details["status"] = .number(Double(status)) }
      refuse(WireError(.failed, failure.message, details: details))
    case .timedOut: refuse(WireError(.timeout, "the action took too long and was ended"))
    }
  }

  /// Ends the run; its client is not there any more.
  func end() {
    run?.dispose()
    finish()
  }

  /// Ends the run and tells the client why.
  func end(because error: WireError) {
    run?.dispose()
    refuse(error)
  }

  /// Outputs are never dropped, so a client that does not read them cannot go on with the call.
  private func tell(_ value: Payload) {
    if session.outbox.isFull {
      return end(
        because: WireError(.failed, "the outputs were not read in time, and the action was ended (limits.output)"))
    }
    session.outbox.append { WireProtocol.CallEvent(call: id, value: value).append(to: &$0) }
  }

  private func refuse(_ error: WireError) {
    session.outbox.append { Refusal(id: id, op: CallRequest.op, error).append(to: &$0) }
    finish()
  }

  private func finish() {
    isOver = true
    run = nil
    session.forget(self)
  }
}
