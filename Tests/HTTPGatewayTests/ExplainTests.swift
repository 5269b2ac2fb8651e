import Foundation
import JSON
import TestSupport
import Testing
import WireProtocol

/// The explanations of values that the client program produces for the gateway.
@Suite struct ExplainTests {
  private let example: DurableExample

  init() throws { example = try DurableExample() }

  private func value(_ answer: Answer) throws -> JSONObject {
    let value = try JSONParser.value(onThisThread: Array(answer.body.utf8).span)
    return value.members.object("why")
  }

  @Test func `a value is explained, the last one or one by its number or its time`() throws {
    try example.send(10, 20, 40)
    let last = try example.why("mean/why")
    #expect(last.status == 200 && last.headers["content-type"] == "application/json")
    #expect(try value(last)["value"] == 30 && value(last)["seq"] == 3)
    #expect(last.body.contains(#""entry":"sent","signal":"climate.raw""#) && last.body.contains(".yaml:"))
    #expect(try value(example.why("mean/why?seq=2"))["value"] == 15)
    #expect(try value(example.why("mean/why?at=0s"))["value"] == 30)
    #expect(try example.why("mean/why?depth=2").body.count > last.body.count)
  }

  @Test func `a silence is explained`() throws {
    try example.send(10)
    let answer = try example.why("scaled/why?not=true&at=0s")
    #expect(answer.status == 200 && answer.body.hasPrefix(#"{"signal":"climate.scaled","turns":["#))
  }

  @Test func `the past outlives the daemon`() throws {
    try example.send(10)
    example.daemon.kill()
    #expect(try value(example.why("mean/why"))["value"] == 10)
  }

  @Test(arguments: [
    ("mean/why?seq=9", 404, "no_value"), ("mean/why?at=1d", 404, "no_value"), ("nothing/why", 404, "unknown_signal"),
    ("*/why", 404, "unknown_signal"), ("mean/why?seq=0", 400, "bad_request"), ("mean/why?seq=-1", 400, "bad_request"),
    ("mean/why?at=noon", 400, "bad_request"), ("mean/why?depth=101", 400, "bad_request"),
    ("mean/why?depth=all", 400, "bad_request"), ("mean/why?seq=1&at=0s", 400, "bad_request"),
    ("mean/why?not=maybe&at=0s", 400, "bad_request"), ("mean/why?not=true&seq=1", 400, "bad_request"),
    ("mean/why?not=true&at=0s&depth=1", 400, "bad_request"), ("mean/why?sequence=1", 400, "bad_request"),
  ])
  func `what makes no sense is a problem with a code`(_ rest: String, _ status: Int, _ code: String) throws {
    try example.send(10)
    let answer = try example.why(rest)
    #expect(answer.status == status && answer.code == code, "\(answer)")
  }

  @Test(arguments: ["--help", "-h", "--state=x"])
  func `a name that looks like an option is a name`(_ name: String) throws {
    #expect(try example.gateway.ask("GET", "/signals/\(name)/why").code == "unknown_signal")
  }

  @Test func `a token learns nothing of signals that it may not read`() throws {
    let token = RunningGateway.statsToken
    try example.send(10)
    #expect(try example.why("mean/why", token: token).status == 200)
    for rest in ["scaled/why", "scaled/why?not=true&at=0s"] {
      let denied = try example.why(rest, token: token)
      #expect(denied.code == "denied" && !denied.body.contains("secret"))
    }
    // The client program would suggest a name.
    let unknown = try example.gateway.ask("GET", "/signals/climate.factor/why", token: token)
    #expect(unknown.code == "unknown_signal" && !unknown.body.contains("mean"))
    #expect(try example.gateway.ask("GET", "/signals/secret.factor/why", token: token).code == "unknown_signal")
    #expect(try example.why("mean/why", token: RunningGateway.readToken).code == "denied")
    #expect(try example.why("raw/why", token: RunningGateway.sendToken).code == "denied")
  }

  @Test func `a declaration states whether values can be explained`() throws {
    let mark = #""why":true"#
    #expect(try example.why("mean/declaration").body.contains(mark))
    #expect(try example.why("mean/declaration", token: RunningGateway.statsToken).body.contains(mark))
    #expect(try !example.why("mean/declaration", token: RunningGateway.readToken).body.contains(mark))
    #expect(try !example.gateway.ask("GET", "/signals/secret.factor/declaration").body.contains(mark))
  }

  @Test func `a gateway without the folder explains nothing`() throws {
    let gateway = try RunningGateway(example.daemon)
    defer { gateway.kill() }
    let answer = try gateway.ask("GET", "/signals/climate.mean/why")
    #expect(answer.status == 404 && answer.code == "not_found" && answer.body.contains("--state"))
    #expect(try !gateway.ask("GET", "/signals/climate.mean/declaration").body.contains(#""why":"#))
  }

  @Test func `a folder that is not there is named to users who may know it`() throws {
    let example = try DurableExample(state: "/nonexistent/state")
    let answer = try example.why("mean/why")
    #expect(answer.status == 503 && answer.code == "storage" && answer.body.contains("/nonexistent/state"))
    let narrow = try example.why("mean/why", token: RunningGateway.statsToken)
    #expect(narrow.code == "storage" && !narrow.body.contains("nonexistent"))
  }
}

@Suite struct ExplainBoundTests {
  @Test(arguments: [
    ("kill -9 $$", 502, "failed"), ("exit 70", 502, "failed"), ("echo broken >&2; exit 65", 503, "storage"),
    ("echo '/s is for root' >&2; exit 77", 503, "storage"), ("head -c 5000000 /dev/zero", 502, "too_many"),
  ])
  func `a client program that fails is a problem`(_ script: String, _ status: Int, _ code: String) throws {
    let answer = try DurableExample(client: script).why("mean/why")
    #expect(answer.status == status && answer.code == code, "\(answer)")
  }

  @Test func `an explanation of an unknown kind is denied to users with few rights`() throws {
    let example = try DurableExample(client: "echo '{\"why\":{\"signal\":\"climate.mean\"}}'")
    #expect(try example.why("mean/why").status == 200)
    #expect(try example.why("mean/why", token: RunningGateway.statsToken).code == "denied")
  }

  @Test func `two are explained at a time, and a client that goes makes room`() throws {
    let example = try DurableExample(client: "case \"$*\" in *' 7') exec sleep 1000;; esac; echo '{}'")
    let waiting = try (1...2).map { _ in
      let connection = try example.gateway.connect()
      try connection.request("GET", "/signals/climate.mean/why?seq=7", token: RunningGateway.allToken)
      return connection
    }
    try example.gateway.wait { try example.why("mean/why").code == "busy" }
    let refused = try example.why("mean/why")
    #expect(refused.status == 503 && refused.headers["retry-after"] == "1")
    // Nothing else waits for them.
    #expect(try example.why("raw").code == "no_value")
    waiting[0].close()
    try example.gateway.wait { try example.why("mean/why").status == 200 }
  }

  @Test func `nothing is left of it when the gateway ends`() throws {
    let folder = TemporaryFolder()
    let file = folder("pid")
    let example = try DurableExample(client: "echo $$ > \(file).new; mv \(file).new \(file); exec sleep 1000")
    let waiting = try example.gateway.connect()
    try waiting.request("GET", "/signals/climate.mean/why", token: RunningGateway.allToken)
    try example.gateway.wait { access(file, F_OK) == 0 }
    let number = try #require(Int32(String(contentsOfFile: file, encoding: .utf8).dropLast()))
    #expect(example.gateway.terminate() == 0)
    try example.gateway.wait { kill(number, 0) == -1 && errno == ESRCH }
  }
}
