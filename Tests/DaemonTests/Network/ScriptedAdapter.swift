import Testing

/// An adapter that a test plays line by line.
final class ScriptedAdapter {
  let client: TestClient
  /// The answer to its request to attach.
  let welcome: String

  init(_ daemon: TestDaemon, kind: String = "http", window: Int = 64) throws {
    client = try daemon.connect()
    welcome = try client.ask(#"{"op":"attach","id":"a","kinds":["\#(kind)"],"window":\#(window)}"#)
  }

  /// A task as it was given.
  struct Task {
    let line: String
    var number: UInt64 { line.number(behind: #""task":"#) ?? 0 }
    var key: String { line.text(behind: #""key":""#) ?? "" }
    var attempt: UInt64 { line.number(behind: #""attempt":"#) ?? 0 }
    var topic: String { line.text(behind: #""topic":""#) ?? "" }
    var payload: String { line.text(behind: #""payload":""#) ?? "" }
    /// The line that says that it has failed for now.
    var failure: String {
      #"{"op":"acknowledge","task":\#(number),"result":"failed","error":{"code":"connect","message":"no"},"retry":true}"#
    }
    var value: String { line.firstMatch(of: /"value":(.*?),"request"/).map { String($0.1) } ?? "" }
  }

  /// The next task; lines that come before are not expected.
  func task(sourceLocation: SourceLocation = #_sourceLocation) throws -> Task {
    let line = try client.line()
    #expect(line.hasPrefix(#"{"event":"task""#), sourceLocation: sourceLocation)
    return Task(line: line)
  }

  /// Says that a connection is there, or away.
  func report(_ connection: String, _ state: String = "connected") throws {
    try client.say(#"{"op":"report","connection":"\#(connection)","state":"\#(state)"}"#)
  }

  func finish(_ task: Task, _ rest: String = "") throws {
    try client.say(#"{"op":"acknowledge","task":\#(task.number),"result":"done"\#(rest)}"#)
  }

  func fail(_ task: Task, code: String = "http", status: Int? = nil, retry: Bool, after: Double? = nil) throws {
    let status = status.map { #","status":\#($0)"# } ?? ""
    let after = after.map { #","after":\#($0)"# } ?? ""
    try client.say(
      #"{"op":"acknowledge","task":\#(task.number),"result":"failed","error":{"code":"\#(code)","message":"no"\#(status)},"retry":\#(retry)\#(after)}"#
    )
  }
}
