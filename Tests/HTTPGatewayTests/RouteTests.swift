import Glibc
import TestSupport
import Testing

/// Every route, with valid and invalid input, on a real daemon.
@Suite struct RouteTests {
  private let example: Example
  private var gateway: RunningGateway { example.gateway }

  init() throws { example = try Example() }

  @Test func `a value is sent, numbered, read and known again`() throws {
    let sent = try gateway.ask("PUT", "/signals/climate.raw", body: "21.50")
    #expect(sent.status == 200 && sent.body == #"{"signal":"climate.raw","seq":1}"# + "\n")
    #expect(try gateway.ask("POST", "/signals/climate.raw", body: " 22 \n").body.contains("\"seq\":2"))

    let value = try gateway.ask("GET", "/signals/climate.smooth")
    #expect(value.status == 200 && value.body == "44\n")
    let tag = try #require(value.headers["etag"])
    #expect(tag.hasSuffix("-2\"") && value.headers["signal-time"]?.hasSuffix("Z") == true)

    let known = try gateway.ask("GET", "/signals/climate.smooth", ["If-None-Match": tag])
    #expect(known.status == 304 && known.body.isEmpty && known.headers["etag"] == tag)
    #expect(try gateway.ask("GET", "/signals/climate.smooth", ["If-None-Match": "\"other-2\", W/\(tag)"]).status == 304)
    #expect(try gateway.ask("GET", "/signals/climate.smooth", ["If-None-Match": "\"other-2\""]).status == 200)
    for known in ["\(tag) , \"x\"", "\"x\"\t,\t\(tag)\t,\"y\"", "\(tag)\t,\"x\"", "\"x\" ,W/\(tag) "] {
      #expect(try gateway.ask("GET", "/signals/climate.smooth", ["If-None-Match": known]).status == 304)
    }
    #expect(try gateway.ask("HEAD", "/signals/climate.smooth").headers["content-length"] == "3")
  }

  @Test func `the sender's own digits come back`() throws {
    _ = try gateway.ask("PUT", "/signals/jobs.pushed", body: #"{ "id" : 12345678901234567890, "price": 1.10 }"#)
    #expect(try gateway.ask("GET", "/signals/jobs.pushed").body == #"{"id":12345678901234567890,"price":1.10}"# + "\n")
  }

  @Test func `a text is a value`() throws {
    let answer = try gateway.ask(
      "PUT", "/signals/jobs.pushed", ["Content-Type": "text/plain; charset=utf-8"], body: "say \"hi\"\n")
    #expect(answer.status == 200)
    #expect(try gateway.ask("GET", "/signals/jobs.pushed").body == #""say \"hi\"\n""# + "\n")
  }

  @Test func `what an input's own pipe holds back is accepted`() throws {
    let answer = try gateway.ask("PUT", "/signals/climate.none", body: "1")
    #expect(answer.status == 202 && answer.body.contains("\"seq\":null"))
  }

  @Test func `a change is waited for`() throws {
    _ = try gateway.ask("PUT", "/signals/climate.raw", body: "1")
    let tag = try #require(try gateway.ask("GET", "/signals/climate.smooth").headers["etag"])
    let waiting = try gateway.connect()
    try waiting.request(
      "GET", "/signals/climate.smooth?wait=60s", token: RunningGateway.allToken, ["If-None-Match": tag])
    _ = try gateway.ask("PUT", "/signals/climate.raw", body: "2")
    let answer = try waiting.answer()
    #expect(answer.status == 200 && answer.body == "4\n")
  }

  @Test func `a wait ends with what is known`() throws {
    _ = try gateway.ask("PUT", "/signals/climate.raw", body: "1")
    let tag = try #require(try gateway.ask("GET", "/signals/climate.smooth").headers["etag"])
    let answer = try gateway.ask("GET", "/signals/climate.smooth?wait=20ms", ["If-None-Match": tag])
    #expect(answer.status == 304)
    #expect(try gateway.ask("GET", "/signals/climate.smooth?wait=20ms").status == 200)
    #expect(try gateway.ask("GET", "/signals/climate.raw?wait=20ms").code == "no_value")
  }

  @Test func `a signal that has ended is not waited for`() throws {
    _ = try gateway.ask("PUT", "/signals/climate.raw", body: "1")
    let tag = try #require(try gateway.ask("GET", "/signals/climate.smooth").headers["etag"])
    _ = try Client.send(#"{"op":"send","id":1,"signal":"climate.raw","event":"completed"}"#, to: example.daemon.socket)
    let begin = ContinuousClock.now
    #expect(try gateway.ask("GET", "/signals/climate.smooth?wait=60s", ["If-None-Match": tag]).status == 304)
    #expect(ContinuousClock.now - begin < .seconds(60))
  }

  @Test func `a value that fulfils a condition is waited for`() throws {
    _ = try gateway.ask("PUT", "/signals/climate.raw", body: "1")
    #expect(try gateway.ask("GET", "/signals/climate.smooth?where=.%20%3E%203").code == "no_value")
    let waiting = try gateway.connect()
    try waiting.request("GET", "/signals/climate.smooth?where=.%20%3E%203&wait=60s", token: RunningGateway.allToken)
    _ = try gateway.ask("PUT", "/signals/climate.raw", body: "1.4")
    _ = try gateway.ask("PUT", "/signals/climate.raw", body: "2")
    #expect(try waiting.answer().body == "4\n")
  }

  @Test func `a wait ends when its signal ends, and when the daemon goes`() throws {
    let waiting = try gateway.connect()
    try waiting.request("GET", "/signals/climate.raw?wait=60s", token: RunningGateway.allToken)
    let other = try gateway.connect()
    try other.request("GET", "/signals/climate.level?wait=60s&where=false", token: RunningGateway.allToken)
    example.daemon.kill()
    #expect(try waiting.answer().code == "unavailable")
    #expect(try other.answer().code == "unavailable")
  }

  @Test func `an action is called`() throws {
    let answer = try gateway.ask("POST", "/actions/jobs.echo", body: #"{"a":1}"#)
    #expect(answer.status == 200 && answer.body == #"{"outputs":["{\"a\":1}"]}"# + "\n")
    let failed = try gateway.ask("POST", "/actions/jobs.fail")
    #expect(failed.status == 502 && failed.code == "failed")
    #expect(failed.body.contains("\"status\":502") && failed.body.contains("\"exit_status\":1"))
    #expect(try gateway.ask("POST", "/actions/jobs.nothing").code == "unknown_action")
  }

  @Test func `an action ends with the client that has called it`() throws {
    let caller = try gateway.connect()
    try caller.request("POST", "/actions/jobs.sleep", token: RunningGateway.allToken)
    #expect(try gateway.ask("GET", "/signals/jobs.sleep.executing?wait=30s&where=.").body == "true\n")
    #expect(try gateway.ask("POST", "/actions/jobs.sleep").code == "busy")
    caller.close()
    #expect(try gateway.ask("GET", "/signals/jobs.sleep.executing?wait=30s&where=not").body == "false\n")
  }

  @Test func `signals are listed`() throws {
    let answer = try gateway.ask("GET", "/signals?pattern=climate.*")
    #expect(answer.status == 200 && answer.body.contains(#""signal":"climate.smooth","kind":"derived","send":false"#))
    #expect(try gateway.ask("GET", "/signals?pattern=nothing.*").body == #"{"signals":[]}"# + "\n")
  }

  @Test func `graphs are drawn as the client draws them`() throws {
    let answer = try gateway.ask("GET", "/graph.svg")
    #expect(answer.status == 200 && answer.headers["content-type"] == "image/svg+xml")
    #expect(answer.body.hasPrefix("<svg ") && answer.body.hasSuffix("</svg>\n"))
    #expect(answer.body.contains(">smooth<") && answer.body.contains(">pushed<"))
    let one = try gateway.ask("GET", "/graph.svg?only=jobs").body
    #expect(!one.contains(">smooth<") && one.contains(">pushed<"))
    #expect(try gateway.ask("GET", "/graph.svg?only=nothing").code == "unknown_graph")
    #expect(try gateway.ask("GET", "/graph.svg?only=jobs&fold=chains").body == one)
    #expect(try gateway.ask("GET", "/graph.svg?fold=all").code == "bad_request")
  }

  @Test func `metrics are those of the daemon and of the gateway`() throws {
    _ = try gateway.ask("PUT", "/signals/climate.raw", body: "1")
    let answer = try gateway.ask("GET", "/metrics")
    #expect(answer.headers["content-type"]?.hasPrefix("application/openmetrics-text") == true)
    #expect(answer.body.contains("\nsignalbox_signal_values_total{signal=\"climate.raw\"} 1\n"))
    #expect(answer.body.contains("\nsignalbox_http_answers_total{status=\"200\"} 1\n"))
    #expect(
      answer.body.hasSuffix("# EOF\n")
        && answer.body.firstRange(of: "# EOF")?.upperBound == answer.body.lastIndex(of: "\n"))
  }

  @Test func `health is that of the daemon, and comes back with it`() throws {
    #expect(try gateway.ask("GET", "/health", token: nil).status == 200)
    example.daemon.kill()
    let answer = try gateway.ask("GET", "/health", token: nil)
    #expect(answer.status == 503 && answer.code == "unavailable" && answer.headers["retry-after"] != nil)
    #expect(try gateway.ask("GET", "/signals/climate.level").code == "unavailable")
    #expect(try gateway.ask("GET", "/metrics").body.contains("signalbox_up 0\n"))
    try example.daemon.start()
    #expect(try gateway.ask("GET", "/health", token: nil).status == 200)
    #expect(try gateway.ask("GET", "/signals/climate.level").body == "5\n")
  }

  @Test(arguments: [
    ("PUT", "/signals/climate.raw", "{\"a\":", 400, "bad_json"), ("PUT", "/signals/climate.raw", "", 400, "bad_json"),
    ("PUT", "/signals/climate.raw", "1}\n{\"op\":\"reload\"}", 400, "bad_json"),
    ("PUT", "/signals/climate.raw", "\"hot\"", 422, "bad_value"),
    ("PUT", "/signals/climate.raw", "1e999", 422, "bad_value"),
    ("PUT", "/signals/climate.smooth", "1", 405, "not_an_input"),
    ("PUT", "/signals/climate.nothing", "1", 404, "unknown_signal"),
    ("GET", "/signals/climate.nothing", "", 404, "unknown_signal"),
    ("GET", "/signals/climate.raw", "", 404, "no_value"), ("GET", "/signals/climate.cold", "", 404, "no_value"),
    ("GET", "/signals/climate.*", "", 404, "unknown_signal"),
    ("GET", "/signals?pattern=a**b.c", "", 400, "bad_request"),
    ("GET", "/signals?patern=a.b", "", 400, "bad_request"),
    ("GET", "/signals?pattern=a.b&pattern=a.c", "", 400, "bad_request"),
    ("GET", "/signals/climate.level?wait=soon", "", 400, "bad_request"),
    ("GET", "/signals/climate.level?wait=1d", "", 400, "bad_request"),
    ("GET", "/signals/climate.level?where=1%20%2B", "", 400, "bad_request"), ("GET", "/signals/", "", 404, "not_found"),
    ("GET", "/nothing", "", 404, "not_found"), ("DELETE", "/signals/climate.raw", "", 405, "method_not_allowed"),
    ("OPTIONS", "/signals", "", 405, "method_not_allowed"), ("POST", "/health", "", 405, "method_not_allowed"),
    ("GET", "/events", "", 400, "bad_request"), ("GET", "/events?signal=climate.nothing", "", 404, "unknown_signal"),
    ("GET", "/events?signal=climate.raw&signal=climate.raw", "", 400, "bad_request"),
    ("GET", "/events?signal=climate.raw&overflow=block", "", 400, "bad_request"),
    ("GET", "/events?signal=climate.raw&every=1us", "", 400, "bad_request"),
    ("GET", "/events?signal=climate.raw&where=nonsense(", "", 400, "bad_request"),
  ])
  func `what makes no sense is a problem with a code`(
    _ method: String, _ target: String, _ body: String, _ status: Int, _ code: String
  ) throws {
    let answer = try gateway.ask(method, target, body: body)
    #expect(answer.status == status && answer.code == code, "\(answer)")
    #expect(
      answer.body.contains("\"status\":\(status)") && answer.body.contains("\"type\":\"urn:signalbox:problem:\(code)\"")
    )
  }

  @Test(arguments: [
    "/signals/climate.level%00zz", "/signals%00/climate.level", "/%00", "/signals/climate.level?wait=1ms%00",
    "/signals/climate.level?wait%00=1ms", "/signals?pattern=climate.*%00zz", "/graph.svg?only=climate%00zz",
    "/events?signal=climate.level%00zz", "/signals/climate.level/declaration%00",
  ])
  func `an encoded NUL cuts neither paths nor queries but is refused`(_ target: String) throws {
    let connection = try gateway.connect()
    let answer = try connection.ask("GET", target, token: RunningGateway.allToken)
    #expect(answer.status == 400 && answer.code == "bad_request" && answer.body.contains("%00"), "\(answer)")
    // A later request on the connection is not affected.
    let next = try connection.ask("GET", "/signals/climate.level", token: RunningGateway.allToken)
    #expect(next.status == 200 && next.body == "5\n")
  }

  @Test func `an idempotency key that is too long is refused`() throws {
    let key = String(repeating: "k", count: 129)
    let answer = try gateway.ask("PUT", "/signals/climate.raw", ["Idempotency-Key": key], body: "1")
    #expect(answer.status == 400 && answer.code == "bad_request")
  }

  @Test func `many requests follow one another on one connection`() throws {
    let connection = try gateway.connect()
    for number in 1...50 {
      let answer = try connection.ask("PUT", "/signals/climate.raw", token: RunningGateway.allToken, body: "\(number)")
      #expect(answer.body.contains("\"seq\":\(number)"))
    }
  }

  @Test func `requests that were sent at once are answered in their order`() throws {
    let connection = try gateway.connect()
    for number in 1...3 {
      try connection.request("PUT", "/signals/climate.raw", token: RunningGateway.allToken, body: "\(number)")
    }
    for number in 1...3 { #expect(try connection.answer().body.contains("\"seq\":\(number)")) }
  }

  @Test func `a client that has finished sending gets what it asked for, but waits for nothing`() throws {
    let connection = try gateway.connect()
    for number in 1...3 {
      try connection.request("PUT", "/signals/climate.raw", token: RunningGateway.allToken, body: "\(number)")
    }
    try connection.request(
      "GET", "/signals/climate.level?wait=60s", token: RunningGateway.allToken, ["If-None-Match": "*"])
    connection.finish()
    for number in 1...3 { #expect(try connection.answer().body.contains("\"seq\":\(number)")) }
    #expect(connection.isClosed())
  }

  @Test func `clients that have finished sending get their answers however many come at once`() throws {
    Glibc.kill(gateway.processIdentifier, SIGSTOP)
    let connections = try (1...20).map { _ in
      let connection = try gateway.connect()
      try connection.request("GET", "/signals/climate.level", token: RunningGateway.allToken)
      connection.finish()
      return connection
    }
    Glibc.kill(gateway.processIdentifier, SIGCONT)
    for connection in connections { #expect(try connection.answer().body == "5\n") }
  }

  @Test func `a client that has finished sending gets an answer that takes a while`() throws {
    Glibc.kill(example.daemon.processIdentifier, SIGSTOP)
    defer { Glibc.kill(example.daemon.processIdentifier, SIGCONT) }
    let connection = try gateway.connect()
    try connection.request("GET", "/signals/climate.level", token: RunningGateway.allToken)
    connection.finish()
    // Earlier requests have been read once this one is answered, which needs no daemon.
    #expect(try gateway.ask("GET", "/openapi.json").status == 200)
    Glibc.kill(example.daemon.processIdentifier, SIGCONT)
    #expect(try connection.answer().body == "5\n")
  }

  @Test func `a client above the limit of connections has its turn once another has gone`() throws {
    let limited = try RunningGateway(example.daemon, options: ["--max-connections", "3"])
    defer { limited.kill() }
    let resting = try (1...3).map { _ in
      let connection = try TestConnection(socket: limited.socket)
      #expect(try connection.ask("GET", "/health").status == 200)
      return connection
    }
    let waiting = try TestConnection(socket: limited.socket)
    try waiting.request("GET", "/health")
    let begin = ContinuousClock.now
    resting[0].close()
    #expect(try waiting.answer().status == 200)
    #expect(ContinuousClock.now - begin < .seconds(20), "it waited for the server's patience")
  }

  @Test func `a token with as many requests under way as it may have leaves the others theirs`() throws {
    let limited = try RunningGateway(example.daemon, options: ["--max-token-requests", "2"])
    defer { limited.kill() }
    let readers = try (1...2).map { _ in
      try EventReader(limited, "signal=climate.level", token: RunningGateway.readToken)
    }
    let refused = try limited.ask("GET", "/signals/climate.level", token: RunningGateway.readToken)
    #expect(refused.status == 429 && refused.code == "too_many")
    #expect(try limited.ask("GET", "/signals/climate.level", token: RunningGateway.allToken).status == 200)
    #expect(try limited.ask("GET", "/signals/climate.level", token: RunningGateway.readToken).status == 429)
    withExtendedLifetime(readers) {}
  }

  @Test func `a request that is over counts no more`() throws {
    let limited = try RunningGateway(example.daemon, options: ["--max-token-requests", "1"])
    defer { limited.kill() }
    for _ in 0..<5 {
      #expect(try limited.ask("GET", "/signals/climate.level", token: RunningGateway.readToken).status == 200)
    }
  }

  @Test func `the gateway ends with its clients waiting`() throws {
    let waiting = try gateway.connect()
    try waiting.request("GET", "/signals/climate.raw?wait=60s", token: RunningGateway.allToken)
    let reader = try EventReader(gateway, "signal=climate.level")
    #expect(try reader.next()?.seq == 1)
    #expect(gateway.terminate() == 0)
    #expect(waiting.isClosed())
  }
}
