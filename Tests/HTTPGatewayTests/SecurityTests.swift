import JSON
import Testing
import WireProtocol

@testable import HTTPGateway

/// Access control, and limits on what clients can make the gateway hold.
@Suite struct SecurityTests {
  private let example: Example
  private var gateway: RunningGateway { example.gateway }

  init() throws { example = try Example() }

  @Test(arguments: ["/signals", "/signals/climate.level", "/events?signal=climate.level", "/graph.svg", "/metrics"])
  func `by TCP nothing is to be had without a token`(_ target: String) throws {
    for token in [nil, "", "wrong"] {
      let answer = try gateway.ask("GET", target, token: token)
      #expect(answer.status == 401 && answer.code == "unauthorized")
      #expect(answer.headers["www-authenticate"] == "Bearer realm=\"signalbox\"")
    }
  }

  @Test func `a token may stand in the address, to read`() throws {
    let own = RunningGateway.allToken
    #expect(try gateway.ask("GET", "/signals/climate.level?token=\(own)", token: nil).status == 200)
    #expect(try gateway.ask("PUT", "/signals/climate.level?token=\(own)", token: nil, body: "1").status == 401)
    #expect(
      try gateway.ask("GET", "/signals/climate.level", token: nil, ["Authorization": "Basic \(own)"]).status == 401)
  }

  @Test func `over the Unix socket its permissions decide`() throws {
    let connection = try TestConnection(socket: gateway.socket)
    #expect(try connection.ask("GET", "/signals/climate.level").body == "5\n")
    #expect(
      try connection.ask("GET", "/signals/climate.level", ["Origin": "http://evil.example"]).code == "forbidden_origin")
  }

  @Test func `a token sees what it may read, and no more`() throws {
    let token = RunningGateway.readToken
    #expect(try gateway.ask("GET", "/signals/climate.level", token: token).status == 200)
    #expect(try gateway.ask("GET", "/signals/jobs.pushed", token: token).code == "unknown_signal")
    #expect(try gateway.ask("PUT", "/signals/climate.raw", token: token, body: "1").code == "denied")
    #expect(try gateway.ask("PUT", "/signals/jobs.pushed", token: token, body: "1").code == "unknown_signal")
    #expect(try gateway.ask("POST", "/actions/jobs.echo", token: token).code == "unknown_action")
    #expect(try gateway.ask("GET", "/metrics", token: token).code == "denied")
    let list = try gateway.ask("GET", "/signals", token: token).body
    #expect(list.contains("climate.level") && !list.contains("jobs.") && !list.contains("\"send\":true"))
    let picture = try gateway.ask("GET", "/graph.svg", token: token).body
    #expect(picture.contains(">level<") && !picture.contains(">pushed<"))
    #expect(try gateway.ask("GET", "/graph.svg?only=jobs", token: token).code == "unknown_graph")
  }

  @Test func `a token that may send alone reads nothing`() throws {
    let token = RunningGateway.sendToken
    #expect(try gateway.ask("PUT", "/signals/climate.raw", token: token, body: "1").status == 200)
    #expect(try gateway.ask("GET", "/signals/climate.raw", token: token).code == "denied")
    #expect(try gateway.ask("GET", "/events?signal=climate.raw", token: token).code == "denied")
    #expect(
      try gateway.ask("GET", "/signals", token: token).body.contains(
        #""signal":"climate.raw","kind":"input","send":true,"subscribe":false"#))
  }

  @Test func `a stream of a pattern has only what may be read`() throws {
    let reader = try EventReader(gateway, "signal=*.*", token: RunningGateway.readToken)
    _ = try gateway.ask("PUT", "/signals/jobs.pushed", body: "1")
    _ = try gateway.ask("PUT", "/signals/climate.raw", body: "1")
    var names: Set<String> = []
    while !names.contains("climate.raw") { names.insert(try #require(try reader.next()?.text("signal"))) }
    #expect(names.allSatisfy { $0.hasPrefix("climate.") })
    #expect(!reader.lastID.contains("jobs."))
  }

  @Test(arguments: [
    "evil.example", "evil.example:80", "localhost.evil.example", "1.2.3.4.evil.example", "", "127.0.0.1:80:80",
  ])
  func `a request to another name for this address is refused`(_ host: String) throws {
    let answer = try gateway.ask("GET", "/health", ["Host": host])
    #expect(answer.status == 421 || answer.status == 400)
  }

  @Test(arguments: [
    "localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:8765", "[::1]:8765", "graphs.example", "graphs.example:443",
  ])
  func `addresses and declared names are its own`(_ host: String) throws {
    #expect(try gateway.ask("GET", "/health", ["Host": host]).status == 200)
  }

  @Test(arguments: [
    ("http://localhost/health", "evil.example", 200), ("HTTP://127.0.0.1:1/health?x=1", "a", 400),
    ("http://localhost", "localhost", 200), ("http://localhost?a", "localhost", 200),
    ("https://graphs.example/signals/climate.level", "localhost", 401),
    ("http://evil.example/health", "localhost", 421), ("http:///health", "localhost", 421),
    ("http://x@localhost/health", "localhost", 421), ("ftp://localhost/health", "localhost", 404),
  ])
  func `a target in absolute form has its own host`(_ target: String, host: String, status: Int) throws {
    #expect(try gateway.ask("GET", target, token: nil, ["Host": host]).status == status)
  }

  @Test(arguments: ["http://evil.example", "null", "http://localhost:1", "file://", "http://localhost.evil.example"])
  func `pages of others may not ask`(_ origin: String) throws {
    #expect(try gateway.ask("PUT", "/signals/climate.raw", ["Origin": origin], body: "1").code == "forbidden_origin")
  }

  @Test func `its own pages may ask, also behind a proxy that speaks TLS`() throws {
    for origin in ["http://localhost", "https://localhost"] {
      #expect(try gateway.ask("PUT", "/signals/climate.raw", ["Origin": origin], body: "1").status == 200)
    }
  }

  @Test func `bodies are bounded, whether they state their length or not`() throws {
    let limit = 1 << 20
    let fits = "\"" + String(repeating: "x", count: limit - 1000) + "\""
    #expect(try gateway.ask("PUT", "/signals/jobs.pushed", body: fits).status == 200)
    let connection = try gateway.connect()
    try connection.request(
      "PUT", "/signals/jobs.pushed", token: RunningGateway.allToken, ["Content-Length": "\(limit + 1)"])
    #expect(try connection.answer().code == "too_long")
    let pieces = try gateway.connect()
    try pieces.request("PUT", "/signals/jobs.pushed", token: RunningGateway.allToken, ["Transfer-Encoding": "chunked"])
    let piece = String(repeating: "1", count: 0x8000)
    for _ in 0...32 { try pieces.send("8000\r\n\(piece)\r\n") }
    try pieces.send("0\r\n\r\n")
    #expect(try pieces.answer().code == "too_long")
  }

  @Test(arguments: [
    "Content-Length: 1\r\nContent-Length: 2", "Content-Length : 1", "Content-Length: 1\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: xchunked", "Transfer-Encoding: gzip, chunked",
  ])
  func `bodies whose end is unclear are refused, and nothing behind them is a request`(_ headers: String) throws {
    let connection = try gateway.connect()
    try connection.send(
      "PUT /signals/jobs.pushed HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n\r\n"
        + "1GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(try connection.answer().status == 400)
    #expect(connection.isClosed())
  }

  @Test func `patterns of tokens mean the daemon's own signals only by name`() throws {
    func names(_ pattern: String) -> Grant.Names { .patterns([SignalPattern(pattern)].compactMap { $0 }) }
    #expect(names("*.errors").contains("climate.errors"))
    for pattern in ["*.errors", "*.*"] { #expect(!names(pattern).contains("signalbox.errors")) }
    for pattern in ["signalbox.*", "signalbox.errors"] { #expect(names(pattern).contains("signalbox.errors")) }
  }

  @Test func `what no user may see is neither drawn nor named`() throws {
    let example = try Example(
      """
      signalbox: 1
      graphs:
        climate:
          signals:
            hid: {from: x, private: true, pipe: [{map: '"PRIVATE"'}]}
            x: {input: {}}
            y: {from: hid}
            both: {merge: [x, jobs.z], pipe: [{send_to: jobs.z}]}
            alone: {from: x, pipe: [{send_to: jobs.z}]}
        jobs: {signals: {z: {input: {}}}}
      """)
    let token = RunningGateway.readToken
    let picture = try example.gateway.ask("GET", "/graph.svg", token: token)
    #expect(picture.body.contains(">y<") && !picture.body.contains("hid") && !picture.body.contains("PRIVATE"))
    #expect(try example.gateway.ask("GET", "/graph.svg", token: RunningGateway.statsToken).body.contains(">hid<"))
    for name in ["both", "alone"] {
      let answer = try example.gateway.ask("GET", "/signals/climate.\(name)/declaration", token: token)
      #expect(answer.body.contains("\"declaration\":null") && !answer.body.contains("jobs"))
    }
    #expect(try example.gateway.ask("GET", "/signals/climate.y/declaration", token: token).status == 200)
  }

  @Test(arguments: [
    "/graph.svg", "/graph.svg?only=climate", "/graph.svg?fold=chains", "/signals/climate.sw/declaration",
  ])
  func `what a token may not know is not named where graphs mention it`(_ target: String) throws {
    let example = try Example(
      """
      signalbox: 1
      graphs:
        climate:
          signals:
            raw: {input: {}}
            sw: {switch: {on: raw, cases: {"1": sec.x, "2": {from: sec.hidden}}}}
            all: {merge: [raw, sec.x], pipe: [{send_to: sec.x}]}
            calling: {from: raw, pipe: [{call: {action: sec.act, dead_letter: sec.hidden}}, {map: .seen}]}
            calls: {from: raw, pipe: [{with_latest: sec.hidden}, {call: sec.act}]}
        sec:
          signals: {x: {input: {}}, hidden: {input: {}}}
          actions: {act: {exec: [/bin/false]}}
      """)
    let picture = try example.gateway.ask("GET", target, token: RunningGateway.readToken)
    #expect(picture.status == 200)
    for name in ["sec.", "hidden", "elsewhere"] { #expect(!picture.body.contains(name), "\(picture.body)") }
    if target.hasPrefix("/graph.svg") {
      #expect(picture.body.contains(">calling<") || picture.body.contains("climate.calling"))
      #expect(picture.body.contains("map: .seen"))
      let all = try example.gateway.ask("GET", target).body
      for name in ["sec.x", "sec.hidden"] { #expect(all.contains(name)) }
    }
  }

  @Test func `the calls of a signal are told without the actions that a token may not know`() throws {
    let state: JSONObject = [
      "calls": [["action": "sec.act", "waiting": 1], ["action": "climate.act"], ["connection": "home"]],
      "paused_by": [
        ["signal": "climate.a", "action": "sec.act"], ["signal": "climate.b", "connection": "home"],
        ["signal": "sec.c", "action": "sec.act"],
      ],
    ]
    let grant = Grant(reads: .patterns([SignalPattern("climate.*"), SignalPattern("climate.*.*")].compactMap { $0 }))
    #expect(
      JSONValue.object(grant.redacted(state)).description
        == #"{"calls":[{"waiting":1},{"action":"climate.act"},{"connection":"home"}],"#
        + #""paused_by":[{"signal":"climate.a"},{"signal":"climate.b","connection":"home"}]}"#)
    let listed: JSONObject = ["calls": ["waiting": 1, "error": ["code": "exit", "action": "sec.act"]]]
    #expect(
      JSONValue.object(grant.redacted(listed)).description == #"{"calls":{"waiting":1,"error":{"code":"exit"}}}"#)
    #expect(JSONValue.object(Grant.everything.redacted(state)) == JSONValue.object(state))
  }

  @Test func `headers are bounded`() throws {
    let connection = try gateway.connect()
    try connection.request("GET", "/health", ["X-Long": String(repeating: "x", count: 100_000)])
    #expect([413, 414, 431].contains(try connection.head().status))
  }

  @Test func `wrong tokens are looked at some times a second`() throws {
    let connection = try gateway.connect()
    let answers = try (0..<200).map { _ in try connection.ask("GET", "/signals", token: "wrong").status }
    #expect(answers.first == 401 && answers.contains(429))
    // A client with a token is not affected.
    #expect(try gateway.ask("GET", "/signals/climate.level").status == 200)
  }

  @Test(arguments: [
    "GET /health HTTP/1.1\r\n\r\n", "NONSENSE\r\n\r\n", "GET /health HTTP/9.9\r\nHost: localhost\r\n\r\n",
    "GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    "PUT /signals/climate.raw HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n",
    "GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", "\u{1}\u{2} \u{3}\r\n\r\n",
  ])
  func `what is no HTTP is refused, and others are served on`(_ text: String) throws {
    let connection = try gateway.connect()
    try connection.send(text)
    connection.finish()
    if let status = try? connection.head().status { #expect((400..<600).contains(status)) }
    #expect(try gateway.ask("GET", "/health", token: nil).status == 200)
  }

  @Test func `tokens are read again, and a file with an error changes nothing`() throws {
    try Tokens.write("token other \(Tokens.hash("new")) read all\n", to: gateway.tokenFile)
    try gateway.hangUp()
    try gateway.wait { try gateway.ask("GET", "/signals/climate.level", token: "new").status == 200 }
    #expect(try gateway.ask("GET", "/signals/climate.level").status == 401)
    try Tokens.write("tokn other\n", to: gateway.tokenFile)
    try gateway.hangUp()
    #expect(try gateway.ask("GET", "/signals/climate.level", token: "new").status == 200)
  }
}
