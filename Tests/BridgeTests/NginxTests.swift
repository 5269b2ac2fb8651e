import JSON
import TestSupport
import Testing

@testable import Bridge

@Suite(.enabled(if: Nginx.isInstalled, "nginx is not installed")) struct `nginx and the bridge` {
  private let daemon: ScriptedDaemon
  private let nginx: Nginx

  init() throws {
    daemon = try ScriptedDaemon()
    nginx = try Nginx(
      """
      default_type text/plain;
      ssl_client_certificate ca.crt;
      ssl_verify_client optional;
      location / { return 200 "$server_protocol $ssl_client_s_dn"; }
      """)
  }

  private func call(_ url: String, _ settings: JSONObject) throws -> JSONObject {
    try daemon.attach([ScriptedDaemon.http(url, settings)])
    return try daemon.acknowledgement(of: daemon.give(["path": "/", "method": "GET"]))
  }

  @Test func `an authority of one's own is trusted, and HTTP 2 spoken`() throws {
    let answer = try call(nginx.url, ["tls": ["ca": .string(nginx.folder("ca.crt"))]])
    #expect(answer.string("payload") == "HTTP/2.0 ")
    let tasks = try (0..<60).map { _ in try daemon.give(["path": "/", "method": "GET"]) }
    for task in tasks { #expect(try daemon.acknowledgement(of: task).string("result") == "done") }
  }

  @Test func `an unknown authority is refused`() throws {
    let answer = try call(nginx.url, JSONObject())
    #expect(answer.nested("error")?.string("code") == "tls")
    #expect(!answer.flag("retry"))
  }

  @Test func `a certificate of another name is refused`() throws {
    let answer = try call("https://127.0.0.2:\(nginx.port)", ["tls": ["ca": .string(nginx.folder("ca.crt"))]])
    #expect(answer.nested("error")?.string("code") == "tls")
  }

  @Test func `a file of authorities that is missing is a failure`() throws {
    let answer = try call(nginx.url, ["tls": ["ca": .string(nginx.folder("none.crt"))]])
    #expect(answer.nested("error")?.string("code") == "tls")
  }

  @Test func `a certificate of the client is shown`() throws {
    let answer = try call(
      nginx.url,
      [
        "tls": [
          "ca": .string(nginx.folder("ca.crt")), "certificate": .string(nginx.folder("client.crt")),
          "key": .string(nginx.folder("client.key")),
        ]
      ])
    #expect(answer.string("payload") == "HTTP/2.0 CN=client")
  }

  @Test func `a Unix socket is a host as well`() throws {
    #expect(try call("unix:" + nginx.folder("socket"), JSONObject()).string("payload") == "HTTP/1.1 ")
  }
}
