import Base
import GraphEngine
import GraphModel
import WireProtocol

extension CallRequest: DaemonRequest {
  var effect: String? { "call of \(action.quoted)" }

  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    try dispatcher.call(self, exchange)
    return .next
  }
}

extension Dispatcher {
  func call(_ request: CallRequest, _ exchange: Exchange) throws(WireError) {
    guard let id = exchange.id else { throw WireError(.internal, "missing id of a call") }
    let action = try action(request.action, for: exchange.client)
    let session = exchange.session
    if session.isCalling(id) { throw WireError(.badRequest, "a call with this id is still running") }
    let call = RunningCall(id, session: session)
    session.add(call)
    do throws(CallRefusal) {
      call.take(try action.call(request.value) { event in call.receive(event) })
    } catch {
      session.remove(call)
      throw WireError(error, action: action.name)
    }
  }

  /// Returns the action with a name, if the client may call it.
  private func action(_ name: String, for client: ClientIdentity) throws(WireError) -> any CallableAction {
    if let action = hub.runtime.actions[name] {
      if callers.access(to: action, hub.runtime.generation).mayCall(client) { return action }
      if isVisible(action, to: client) { throw WireError(.denied, "no permission to call \"\(name)\"") }
    }
    throw unknownAction(name, for: client)
  }

  private func unknownAction(_ name: String, for client: ClientIdentity) -> WireError {
    let known = hub.runtime.actions.values.prefix(Self.suggestions).filter { isVisible($0, to: client) }
    let hint = Suggestion.likely(for: name, among: known.map(\.name).sorted())
    return WireError(.unknownAction, "no action \(name.quoted)\(hint.map { "; did you mean \"\($0)\"?" } ?? "")")
  }

  /// Indicates that a name is that of an action the client may know of.
  func isAction(_ name: String, for client: ClientIdentity) -> Bool {
    guard let action = hub.runtime.actions[name] else { return false }
    return isVisible(action, to: client) || callers.access(to: action, hub.runtime.generation).mayCall(client)
  }

  /// Indicates that a word of a declaration names a signal or an action that is hidden from the client.
  func hides(_ word: String, in graph: String, from client: ClientIdentity) -> Bool {
    [word, "\(graph).\(word)"].contains { name in
      if let channel = hub.channel(named: name) { return !channel.access.isVisible(to: client) }
      return hub.runtime.actions[name] != nil && !isAction(name, for: client)
    }
  }

  /// Indicates that one of an action's signals is visible.
  private func isVisible(_ action: any CallableAction, to client: ClientIdentity) -> Bool {
    ActionSignal.visible.contains { hub.channel(named: $0.name(of: action.name), for: client) != nil }
  }
}

extension WireError {
  fileprivate init(_ refusal: CallRefusal, action: String) {
    switch refusal {
    case .disabled: self.init(.disabled, "\"\(action)\" is not enabled")
    case .busy: self.init(.busy, "\"\(action)\" is already running")
    }
  }
}
