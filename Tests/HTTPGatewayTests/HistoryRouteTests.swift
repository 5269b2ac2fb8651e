import JSON
import TestSupport
import Testing

/// The values of durable graphs over a period, which the client program reads for the gateway.
@Suite struct HistoryRouteTests {
  private let example: DurableExample

  init() throws {
    example = try DurableExample()
    try example.send(10, 20, 40)
  }

  private func history(_ query: String, token: String = RunningGateway.allToken) throws -> Answer {
    try example.gateway.ask("GET", "/history?\(query)", token: token)
  }

  private func value(_ answer: Answer) throws -> JSONObject {
    guard case .object(let object) = try JSONParser.value(onThisThread: Array(answer.body.utf8).span) else {
      return [:]
    }
    return object
  }

  private func rows(_ answer: Answer) throws -> [String] {
    guard case .array(let rows)? = try value(answer)["values"] else { return [] }
    return rows.map { row in
      guard case .object(let row) = row else { return "" }
      return "\(row["signal"] ?? .null) \(row["value"] ?? .null) \(row["number"] ?? .null) \(row["seq"] ?? .null)"
    }
  }

  @Test func `are those that the daemon does not retain, too`() throws {
    #expect(try rows(example.gateway.ask("GET", "/values?pattern=climate.mean&history=1h")).count < 3)
    let answer = try history("signal=climate.mean&period=1h&step=6s")
    #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
    #expect(try rows(answer).last == #""climate.mean" 30 30 3"#)
    #expect(try value(answer)["shortage"] == "history" && value(answer)["from"] != nil && value(answer)["pauses"] == [])
    let both = try rows(history("signal=climate.mean&signal=climate.raw&period=10s"))
    #expect(both.contains(#""climate.mean" 30 30 3"#) && both.contains(#""climate.raw" 40 40 3"#))
  }

  @Test(arguments: [
    ("signal=climate.mean", 400, "bad_request"), ("period=1h", 400, "bad_request"),
    ("signal=climate.mean&period=8d", 400, "bad_request"), ("signal=climate.mean&period=soon", 400, "bad_request"),
    ("signal=climate.mean&period=1h&step=1s", 400, "bad_request"),
    ("signal=climate.men&period=1h", 404, "unknown_signal"),
    ("signal=secret.factor&period=1h", 404, "unknown_signal"), ("signal=--help&period=1h", 404, "unknown_signal"),
    ("signal=climate.mean&period=1h&steps=1m", 400, "bad_request"),
  ])
  func `what makes no sense is a problem with a code`(_ query: String, _ status: Int, _ code: String) throws {
    let answer = try history(query)
    #expect(answer.status == status && answer.code == code, "\(answer)")
  }

  @Test func `need only the right to read the signals themselves`() throws {
    #expect(try history("signal=climate.mean&period=1h", token: RunningGateway.readToken).status == 200)
    #expect(try history("signal=climate.scaled&period=1h", token: RunningGateway.readToken).status == 200)
    let hidden = try history("signal=secret.factor&period=1h", token: RunningGateway.readToken)
    #expect(hidden.code == "unknown_signal" && !hidden.body.contains("durable"))
    #expect(try history("signal=climate.raw&period=1h", token: RunningGateway.sendToken).code == "denied")
    #expect(try history("signal=climate.raw&period=1h", token: nil ?? "").code == "unauthorized")
  }

  @Test func `are announced in the list`() throws {
    let mark = #""past":true"#
    let list = try example.gateway.ask("GET", "/signals?pattern=climate.mean", token: RunningGateway.readToken)
    #expect(list.body.contains(mark))
    #expect(try !example.gateway.ask("GET", "/signals?pattern=secret.factor").body.contains(mark))
    let gateway = try RunningGateway(example.daemon)
    defer { gateway.kill() }
    #expect(try !gateway.ask("GET", "/signals").body.contains(mark))
    #expect(try gateway.ask("GET", "/history?signal=climate.mean&period=1h").code == "not_found")
  }

  @Test func `take a client program, which has limits`() throws {
    let example = try DurableExample(client: "echo \"$*\" >&2; exit 70")
    let answer = try example.gateway.ask("GET", "/history?signal=climate.mean&period=1h")
    #expect(
      answer.status == 502 && answer.body.contains("history --values --since 3600000ms --step 6000ms --within 7000ms"))
  }
}
