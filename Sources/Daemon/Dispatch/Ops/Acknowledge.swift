import GraphEngine
import GraphModel
import JSON
import WireProtocol
import World

extension AcknowledgeRequest: DaemonRequest {
  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    try dispatcher.acknowledge(self, exchange)
    return .next
  }
}

extension Dispatcher {
  /// Delivers the outcome of a task to its call.
  func acknowledge(_ request: AcknowledgeRequest, _ exchange: Exchange) throws(WireError) {
    let adapter = try adapter(of: exchange.session, asking: AcknowledgeRequest.op)
    if request.task == 0 || request.task > network.lastNumber {
      throw WireError(.badRequest, "no task \(request.task) was given")
    }
    network.acknowledge(request.task, of: adapter) { request.answer(to: $0) }
    if exchange.id != nil { exchange.reply(AcknowledgeReply()) }
  }
}

extension AcknowledgeRequest {
  /// The outcome for the call.
  fileprivate func answer(to task: NetworkTask) -> TaskAnswer {
    if let error {
      return .failed(
        SignalFailure(code: error.code, message: error.message), status: error.status,
        RetryAdvice(isUseful: mayRetry ?? false, pause: pause?.duration))
    }
    do throws(SignalFailure) {
      let value = try output(of: task)
      guard result == .progress else { return .done(value) }
      return .progress(value ?? .null)
    } catch {
      return .failed(error, status: nil, RetryAdvice(isUseful: false))
    }
  }

  private func output(of task: NetworkTask) throws(SignalFailure) -> JSONValue? {
    if let value { return value.value }
    guard let bytes = payloadBytes else { return nil }
    let body = try content(bytes)
    guard task.kind == .http, case .string("full")? = task.request["answer"]?.plain else { return body }
    var answer = details?.object ?? JSONObject()
    answer["body"] = body
    return .object(answer)
  }

  /// Returns a payload as a value: JSON by its type, else text, and Base64 where it is no text.
  private func content(_ bytes: [UInt8]) throws(SignalFailure) -> JSONValue {
    if isJSON {
      if bytes.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) { return .null }
      do throws(JSONError) { return try JSONParser.value(onThisThread: bytes.span) } catch {
        throw SignalFailure(code: "bad_value", message: "the answer says that it is JSON, and is not: \(error.message)")
      }
    }
    if let text = String(validating: bytes, as: UTF8.self) { return .string(text) }
    return .string(self.bytes?.text ?? "")
  }

  private var isJSON: Bool {
    let type = contentType?.prefix { $0 != ";" }.lowercased().filter { $0 != " " } ?? ""
    return type == "application/json" || type == "text/json" || type.hasSuffix("+json")
  }
}
