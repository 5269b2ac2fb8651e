internal import Base
internal import JSON
internal import WireProtocol

/// The requests that only an adapter makes; they are written member by member, since there may be many of them.
enum DaemonLines {
  /// The longest position that the daemon takes, in bytes.
  static let longestPosition = 4096

  /// - Parameter window: `nil` to be told the declarations alone.
  static func attach(id: Int, kinds: [String], window: Int?) -> [UInt8] {
    line("attach", id) { line in
      line.member("kinds", kinds)
      if let window { line.member("window", window) } else { line.member("check", true) }
    }
  }

  static func acknowledge(_ task: Int, _ answer: TaskAnswer) -> [UInt8] {
    line("acknowledge") { line in
      line.member("task", task)
      switch answer {
      case .done(let output):
        line.member("result", "done")
        guard let output else { return }
        append(output.body, to: &line)
        if let type = output.contentType { line.member("content_type", type) }
        if let details = output.details { line.member("details", .object(details)) }
      case .failed(let failure):
        line.member("result", "failed")
        line.member("error", error(failure))
        line.member("retry", .bool(failure.isTemporary))
        if let after = failure.after { line.member("after", .number(after)) }
      }
    }
  }

  static func send(id: Int, _ run: SignalRun, _ value: SourceValue) -> [UInt8] {
    line("send", id) { line in
      append(run, to: &line)
      append(value.body, to: &line)
      if let details = value.details { line.member("details", .object(details)) }
      if let message = value.message { line.member("message_id", message) }
      if let position = value.position, position.utf8.count <= longestPosition { line.member("position", position) }
    }
  }

  static func fail(_ run: SignalRun, _ failure: TaskFailure) -> [UInt8] {
    line("send") { line in
      append(run, to: &line)
      line.member("event", "failed")
      line.member("error", error(failure))
    }
  }

  static func complete(_ run: SignalRun) -> [UInt8] {
    line("send") { line in
      append(run, to: &line)
      line.member("event", "completed")
    }
  }

  private static func line(_ op: StaticString, _ id: Int? = nil, _ members: (inout LineWriter) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    appendLine(to: &bytes) { line in
      line.begin("op", op)
      if let id { line.member("id", id) }
      members(&line)
    }
    return bytes
  }

  private static func append(_ run: SignalRun, to line: inout LineWriter) {
    line.member("signal", run.signal)
    if let number = run.number { line.member("run", number) }
  }

  private static func append(_ body: Body, to line: inout LineWriter) {
    switch body {
    case .text(let text): line.member("payload", text)
    case .bytes(let bytes): line.member("payload_base64", Base64.text(of: bytes))
    }
  }

  private static func error(_ failure: TaskFailure) -> JSONValue {
    var error: JSONObject = ["code": .string(failure.code), "message": .string(failure.message)]
    if let status = failure.status { error["status"] = .number(Double(status)) }
    return .object(error)
  }
}
