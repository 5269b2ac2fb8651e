import TestSupport
import Testing

@testable import HTTPGateway

/// Pushes of other services, on a real daemon.
@Suite struct HookTests {
  private let example: Example
  private var gateway: RunningGateway { example.gateway }

  init() throws { example = try Example() }

  private func push(
    _ body: String, type: String, signature: String? = nil, _ headers: [String: String] = [:]
  ) throws -> Answer {
    let key = Array(RunningGateway.hookSecret.utf8)
    let code = "sha256=" + Hexadecimal.text(of: SHA256.code(of: Array(body.utf8), key: key))
    let fields = ["Content-Type": type, "X-Hub-Signature-256": signature ?? code, "X-GitHub-Event": "push"]
    return try gateway.ask("POST", "/hooks/github", token: nil, fields.merging(headers) { $1 }, body: body)
  }

  private func pushed() throws -> String { try gateway.ask("GET", "/signals/jobs.pushed").body }

  @Test func `the signature is that of GitHub's own example`() throws {
    let key = Array("It's a Secret to Everybody".utf8)
    let code = Hexadecimal.text(of: SHA256.code(of: Array("Hello, World!".utf8), key: key))
    #expect(code == "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17")
  }

  @Test func `JSON comes as it is, with the headers beside it`() throws {
    #expect(try push(#"{"ref": "main", "n": 1.0}"#, type: "application/json").status == 200)
    let value = try pushed()
    #expect(value.contains(#""body":{"ref":"main","n":1.0}"#) && value.contains(#""x-github-event":"push""#))
    #expect(value.hasPrefix(#"{"hook":"github","type":"application/json","#) && !value.contains("x-hub-signature"))
  }

  @Test func `a delivery has its number remembered where something remembers it, and is taken anywhere`() throws {
    let delivery = ["X-GitHub-Delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958"]
    #expect(try push("{}", type: "application/json", delivery).status == 200)
    #expect(try pushed().contains("72d3162e"))
    let folder = TemporaryFolder()
    let durable = try Example(
      """
      signalbox: 1
      graphs: {jobs: {durable: true, signals: {pushed: {input: {}, hold: true}}}}
      server: {state: \(folder("state"))}
      """)
    for _ in 1...2 {
      let key = Array(RunningGateway.hookSecret.utf8)
      let code = Hexadecimal.text(of: SHA256.code(of: Array("1".utf8), key: key))
      let headers = delivery.merging(["X-Hub-Signature-256": code]) { $1 }
      let answer = try durable.gateway.ask("POST", "/hooks/github", token: nil, headers, body: "1")
      #expect(answer.status == 200 && answer.body.contains("\"seq\":1"))
    }
  }

  @Test func `a body may be as long as a line of the daemon, for a hook that there is`() throws {
    let large = try Example(
      """
      signalbox: 1
      graphs: {jobs: {signals: {pushed: {input: {}, pipe: [{map: .body | length}], hold: true}}}}
      server: {limits: {line: 4MiB, value: 4MiB}}
      """)
    let body = "\"" + String(repeating: "x", count: 2 << 20) + "\""
    let code = Hexadecimal.text(of: SHA256.code(of: Array(body.utf8), key: Array(RunningGateway.hookSecret.utf8)))
    let headers = ["Content-Type": "application/json", "X-Hub-Signature-256": code]
    #expect(try large.gateway.ask("POST", "/hooks/github", token: nil, headers, body: body).status == 200)
    #expect(try large.gateway.ask("GET", "/signals/jobs.pushed").body == "2097152\n")
    func refusal(of length: Int, to hook: String, _ gateway: RunningGateway) throws -> Int {
      let connection = try gateway.connect()
      // The head alone decides.
      try connection.send("POST /hooks/\(hook) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)\r\n\r\n")
      return try connection.head().status
    }
    #expect(try refusal(of: 2 << 20, to: "none", large.gateway) == 413)
    #expect(try refusal(of: 5 << 20, to: "github", large.gateway) == 413)
    #expect(try refusal(of: 2 << 20, to: "github", gateway) == 413)
  }

  @Test func `a compressed body is refused as that`() throws {
    let answer = try push("{}", type: "application/json", ["Content-Encoding": "gzip"])
    #expect(answer.status == 415 && answer.body.contains("Content-Encoding"))
    #expect(try push("{}", type: "application/json", ["Content-Encoding": "identity"]).status == 200)
  }

  @Test func `a form comes as its fields`() throws {
    #expect(try push("a=1+2&b=%7B%22x%22%3A1%7D&a=3&c&%zz=%4", type: "application/x-www-form-urlencoded").status == 200)
    #expect(try pushed().contains(#""body":{"a":["1 2","3"],"b":"{\"x\":1}","c":"","%zz":"%4"}"#))
  }

  @Test func `anything else comes as text`() throws {
    #expect(try push("hello", type: "text/plain").status == 200)
    #expect(try pushed().contains(#""body":"hello""#))
  }

  @Test(arguments: [
    "", "sha256=", "sha256=00", "sha1=757107ea", "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
  ])
  func `another signature is refused`(_ signature: String) throws {
    let answer = try push("{}", type: "application/json", signature: signature)
    #expect(answer.status == 403 && answer.code == "bad_signature")
    #expect(try gateway.ask("GET", "/signals/jobs.pushed").code == "no_value")
  }

  @Test func `a hook that is not declared is not there`() throws {
    #expect(try gateway.ask("POST", "/hooks/nothing", body: "{}").code == "not_found")
    #expect(try gateway.ask("GET", "/hooks/github").code == "method_not_allowed")
    #expect(try push("{", type: "application/json").code == "bad_json")
  }
}
