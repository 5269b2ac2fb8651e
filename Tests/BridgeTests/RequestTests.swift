import Base
import JSON
import Testing
import WireProtocol

@testable import Bridge

@Suite struct `Requests of tasks` {
  private static func task(_ request: JSONValue, key: String = "k") throws -> AdapterTask {
    let task: JSONValue = ["event": "task", "task": 1, "connection": "api", "request": request, "key": .string(key)]
    return try #require(AdapterTask(ServerLine(task.json.span)))
  }

  private static func settings(_ settings: JSONObject = ["url": "https://h.example/v1/"]) throws -> HTTPSettings {
    try HTTPSettings(settings)
  }

  private static func url(_ request: JSONValue) throws -> String {
    try HTTPRequests.request(task(request), settings()).url
  }

  @Test func `path and query are encoded`() throws {
    #expect(
      try Self.url(["path": "/rooms/a b?c#d%20%zz\r\n/é", "query": ["q": "a&b=c d", "n": 1.5, "yes": true]])
        == "https://h.example/v1/rooms/a%20b%3Fc%23d%20%25zz%0D%0A/%C3%A9?q=a%26b%3Dc%20d&n=1.5&yes=true")
    #expect(
      try Self.url(["path": "/x", "query": ["a": ["1", 2], "none": nil, "ä": "~"]])
        == "https://h.example/v1/x?a=1&a=2&%C3%A4=~")
  }

  @Test(arguments: ["rooms", "", "/a/../b", "/a/%2E%2e/b", "/."]) func `a path that could lead elsewhere is refused`(
    path: String
  ) throws {
    #expect(throws: TaskFailure.self) { try Self.url(["path": .string(path)]) }
  }

  @Test func `headers of the request stand in place of the connection's`() throws {
    let settings = try Self.settings(["url": "http://h", "headers": ["X-A": "1", "authorization": "Bearer s"]])
    let task = try Self.task([
      "path": "/", "method": "PUT", "headers": ["x-a": 2, "x-b": "3"], "body": "{}", "content_type": "application/json",
    ])
    let headers = try HTTPRequests.request(task, settings).headers.map { "\($0.name): \($0.value)" }
    #expect(
      headers.sorted().filter { !$0.hasPrefix("User-Agent") } == [
        "Content-Type: application/json", "Idempotency-Key: k", "authorization: Bearer s", "x-a: 2", "x-b: 3",
      ])
  }

  @Test(arguments: [
    ("X-A", "1\r\nX-B: 2"), ("X A", "1"), ("", "1"), ("Host", "other"), ("content-length", "1"),
    ("Transfer-Encoding", "chunked"), ("x\r\ny", "1"),
  ]) func `a header that would change the request is refused`(name: String, value: String) throws {
    let task = try Self.task(["path": "/", "headers": .object([name: .string(value)])])
    #expect(throws: TaskFailure.self) { try HTTPRequests.request(task, Self.settings()) }
  }

  @Test func `reading needs no key`() throws {
    for (method, hasKey) in [("GET", false), ("HEAD", false), ("POST", true), ("DELETE", true)] {
      let request = try HTTPRequests.request(Self.task(["path": "/", "method": .string(method)]), Self.settings())
      #expect(request.headers.contains { $0.name == "Idempotency-Key" } == hasKey)
    }
  }

  @Test(arguments: ["PO ST", "", "CONNECT", "GET\r\n"]) func `what is no method is refused`(method: String) throws {
    #expect(throws: TaskFailure.self) {
      try HTTPRequests.request(Self.task(["path": "/", "method": .string(method)]), Self.settings())
    }
  }

  @Test func `no message shows what is secret`() throws {
    let settings = try Self.settings([
      "url": "https://me:passwort@h.example", "headers": ["authorization": "Bearer geheim"],
      "proxy": "http://p:proxypass@proxy:3128",
    ])
    #expect(settings.redacted("x Bearer geheim passwort proxypass y") == "x … … … y")
    #expect(settings.transfer.user == "me")
    #expect(try HTTPRequests.request(["path": "/"], settings).url == "https://h.example/")
  }

  @Test(arguments: ["ftp://h", "h.example", "https://h?x=1", "", "file:///etc/passwd"]) func `another url is refused`(
    url: String
  ) {
    #expect(throws: TaskFailure.self) { try HTTPSettings(["url": .string(url)]) }
  }
}

@Suite struct `Parts of HTTP` {
  @Test func `a time to wait is seconds or a date`() {
    #expect(RetryAfter.seconds("120", now: 0) == 120)
    #expect(RetryAfter.seconds("Sun, 06 Nov 1994 08:49:37 GMT", now: 784_111_770) == 7)
    #expect(RetryAfter.seconds("Sun, 06 Nov 1994 08:49:37 GMT", now: 784_111_780) == 0)
    #expect(RetryAfter.seconds("99999999999999999999", now: 0) == 86_400)
    for text in ["", "soon", "-1", "1.5", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT"] {
      #expect(RetryAfter.seconds(text, now: 0) == nil)
    }
    #expect(RetryAfter.seconds(nil, now: 0) == nil)
  }

  @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")])
  func `Base64 is that of RFC 4648`(text: String, encoded: String) {
    #expect(Base64.text(of: Array(text.utf8)) == encoded)
    #expect(Base64.bytes(of: encoded) == Array(text.utf8))
  }

  @Test(arguments: ["Z", "Zg=", "Zg===", "Z*==", "====", "=Zg="]) func `other Base64 is refused`(text: String) {
    #expect(Base64.bytes(of: text) == nil)
  }
}
