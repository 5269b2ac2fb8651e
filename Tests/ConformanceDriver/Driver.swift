import Foundation
import SignalboxClient

/// Executes commands, each as soon as it is received.
actor Driver {
  typealias Fields = [String: JSONValue]

  private var client: Client?
  private var subscriptions: [String: Subscription<JSONValue>] = [:]
  private var calls: [String: Task<Void, Never>] = [:]
  private var tasks: [Task<Void, Never>] = []
  /// The paused subscriptions, with the tasks that wait for `resume`.
  private var paused: [String: [CheckedContinuation<Void, Never>]] = [:]

  func carryOut(_ command: Fields) async {
    let name = command["as"]?.text ?? ""
    switch command["do"]?.text {
    case "connect":
      await close()
      let bounds = command["backoff"]?.elements.map { Duration.milliseconds(1) * ($0.double ?? 0) } ?? []
      client = Client(path: command["socket"]?.text, backoff: bounds[0]...bounds[1])
      tell(["did": "connect"])
    case "close":
      await close()
      tell(["did": "close"])
    case "cancel":
      await subscriptions.removeValue(forKey: name)?.cancel()
      if let call = calls.removeValue(forKey: name) {
        call.cancel()
        await call.value
      }
      tell(["did": "cancel", "as": .string(name)])
    case "pause":
      paused[name] = []
      tell(["did": "pause", "as": .string(name)])
    case "resume":
      for waiter in paused.removeValue(forKey: name) ?? [] { waiter.resume() }
      tell(["did": "resume", "as": .string(name)])
    case let op?:
      let task = Task { await work(op, name, command) }
      if op == "call" { calls[name] = task }
      tasks.append(task)
    case nil: fatalError("no command: \(command)")
    }
  }

  private func close() async {
    for subscription in subscriptions.values { await subscription.cancel() }
    subscriptions.removeAll()
    for task in tasks { task.cancel() }
    tasks.removeAll()
    await client?.close()
    client = nil
  }

  private func tell(_ line: Fields) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    guard let text = try? encoder.encode(line) else { fatalError("\(line)") }
    FileHandle.standardOutput.write(text + Data("\n".utf8))
  }

  private func work(_ op: String, _ name: String, _ fields: Fields) async {
    guard let client else { return }
    do throws(SignalboxError) {
      guard var line = try await carryOut(op, name, fields, client) else { return }
      line["did"] = .string(op)
      line["as"] = .string(name)
      tell(line)
    } catch {
      // Cancelled requests are not reported.
      if error.code != .cancelled {
        tell(["failed": .string(op), "as": .string(name), "code": .string(error.code.rawValue)])
      }
    }
  }

  private func carryOut(
    _ op: String, _ name: String, _ fields: Fields, _ client: Client
  ) async throws(SignalboxError) -> Fields? {
    let signal = fields["signal"]?.text ?? ""
    switch op {
    case "subscribe":
      try await follow(signal, name, fields, client)
      return nil
    case "send":
      let sent = try await send(signal, fields, client)
      return ["seq": sent.seq.map { .integer(Int64($0)) } ?? .null]
    case "get":
      let held = try await client.get(signal, as: JSONValue.self)
      return ["seq": .integer(Int64(held.seq)), "value": held.value]
    case "list":
      let signals = try await client.list(fields["pattern"]?.text)
      return ["signals": .array(signals.compactMap { $0["signal"] })]
    case "describe": return ["kind": try await client.describe(signal)["kind"] ?? .null]
    case "ping":
      try await client.ping()
      return [:]
    case "hello":
      let hello = try await client.hello()
      return ["server": hello["server"] ?? .null, "protocol": hello["protocol"] ?? .null]
    case "call":
      let outputs = client.call(fields["action"]?.text ?? "", fields["value"], as: JSONValue.self)
      let iterator = outputs.makeAsyncIterator()
      while let output = try await iterator.next(isolation: self) {
        if Task.isCancelled { return nil }
        tell(["as": .string(name), "event": "next", "value": output])
      }
      return Task.isCancelled ? nil : [:]
    default: fatalError("no command \(op)")
    }
  }

  private func send(_ signal: String, _ fields: Fields, _ client: Client) async throws(SignalboxError) -> Client.Sent {
    let messageID = fields["message_id"]?.text
    if case .array(let values)? = fields["values"] {
      return try await client.send(contentsOf: values, to: signal, messageID: messageID)
    }
    switch fields["event"]?.text {
    case "completed": return try await client.end(signal, messageID: messageID)
    case "interrupted": return try await client.end(signal, with: .interrupted, messageID: messageID)
    case "failed":
      let error = fields["error"]?.members ?? [:]
      let ending = Client.Ending.failed(code: error["code"]?.text ?? "", message: error["message"]?.text ?? "")
      return try await client.end(signal, with: ending, messageID: messageID)
    default: return try await client.send(fields["value"] ?? .null, to: signal, messageID: messageID)
    }
  }

  // MARK: Subscriptions

  private func follow(_ signal: String, _ name: String, _ fields: Fields, _ client: Client) async throws(SignalboxError)
  {
    let subscription = try await client.subscribe(to: signal, as: JSONValue.self, SubscriptionOptions(fields))
    // The client may have been closed meanwhile.
    if Task.isCancelled { return await subscription.cancel() }
    subscriptions[name] = subscription
    tell(["did": "subscribe", "as": .string(name)])
    while true {
      await waitWhilePaused(name)
      guard let event = try await subscription.next() else { return }
      if subscriptions[name] === subscription { tell(event.line(as: name)) }
    }
  }

  private func waitWhilePaused(_ name: String) async {
    if paused[name] == nil { return }
    await withCheckedContinuation { paused[name]?.append($0) }
  }
}
