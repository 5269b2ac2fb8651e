internal import JSON
internal import WireProtocol

/// A line of the daemon, as an adapter understands it.
enum DaemonMessage {
  case declared(DeclarationChange)
  case task(AdapterTask)
  case cancel(Int)
  /// The reply to a request with an id, or its refusal.
  case reply(id: Int, ServerLine, Refused?)
  /// The refusal of a request without one.
  case refusal(Refused)
  case other

  /// The reason of a refusal.
  struct Refused: Error, Equatable, Sendable {
    /// The code; empty for one of a later daemon without any.
    let code: String
    let message: String
  }

  /// Reads a line without its end.
  ///
  /// - Throws: An error for a line that is no reply or event, or lacks what its kind needs.
  init(_ line: Span<UInt8>) throws(WireError) {
    let line = try ServerLine(line)
    switch line.kind {
    case .reply:
      let refused = line.isRefusal ? Refused(code: line.error?.string("code") ?? "", message: line.message) : nil
      if let id = line.number("id") {
        self = .reply(id: id, line, refused)
      } else {
        self = refused.map { .refusal($0) } ?? .other
      }
    case .event("task"):
      guard let task = AdapterTask(line) else {
        throw WireError(.badRequest, "a task lacks its number or connection")
      }
      self = .task(task)
    case .event("cancel"):
      guard let task = line.number("task") else { throw WireError(.badRequest, "a cancel lacks its task") }
      self = .cancel(task)
    case .event("declared"): self = .declared(DeclarationChange(line.object))
    case .event: self = .other
    }
  }
}

extension DeclarationChange {
  /// Reads an event.
  init(_ object: JSONObject) {
    connections = object.objects("connections").map { $0.compactMap { ConnectionDeclaration($0) } }
    added = (object.objects("added") ?? []).compactMap { SignalDeclaration($0) }
    changed = (object.objects("changed") ?? []).compactMap { SignalDeclaration($0) }
    if case .array(let elements)? = object["removed"] {
      removed = elements.compactMap { element in
        if case .object(let object) = element { return SignalRun(object) }
        return element.text.map { SignalRun($0) }
      }
    }
  }

  /// Reads the reply to `attach`.
  init(attached reply: JSONObject) {
    connections = (reply.objects("connections") ?? []).compactMap { ConnectionDeclaration($0) }
    added = (reply.objects("declarations") ?? []).compactMap { SignalDeclaration($0) }
  }
}

extension JSONObject {
  fileprivate func objects(_ key: String) -> [JSONObject]? {
    guard case .array(let elements)? = self[key] else { return nil }
    return elements.compactMap { if case .object(let object) = $0 { object } else { nil } }
  }
}
