import Foundation
import TestSupport
import Testing

@testable import HTTPGateway

/// Values of many signals and metrics, over HTTP.
@Suite struct ValueTests {
  private static let configuration = """
    signalbox: 1
    graphs:
      climate:
        signals:
          raw: {input: {}, replay: 10, unit_of_measurement: °C, metric: {name: raw_celsius, labels: {room: '.room? // "a\\\\b\\"c\\nd"'}, value: '.t? // .'}}
          on: {property: {initial: true}}
          mode: {property: {initial: away}}
          run: {from: on, cold: true}
      jobs: {signals: {pushed: {input: {}, hold: true, metric: true}, bad: {input: {}, metric: true}}}
    """

  private let example: Example
  private var gateway: RunningGateway { example.gateway }

  init() throws { example = try Example(Self.configuration) }

  @Test func `values are rows with times and numbers`() throws {
    _ = try gateway.ask("PUT", "/signals/climate.raw", body: "21.50")
    _ = try gateway.ask("PUT", "/signals/climate.raw", body: "22")
    let answer = try gateway.ask("GET", "/values?pattern=climate.*")
    #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
    #expect(answer.body.contains(#"{"signal":"climate.raw","time":""#))
    #expect(answer.body.contains(#"Z","value":22,"number":22,"unit":"°C","seq":2}"#))
    #expect(answer.body.contains(#""value":true,"number":1,"seq":1}"#))
    #expect(answer.body.contains(#""value":"away","number":null,"seq":1}"#))
    let history = try gateway.ask("GET", "/values?pattern=climate.raw&pattern=climate.*&history=1h").body
    #expect(history.contains(#""value":21.50,"number":21.50"#))
    #expect(history.split(separator: "\"climate.raw\"").count == 3)
    #expect(try gateway.ask("GET", "/values?history=x").code == "bad_request")
    #expect(try gateway.ask("GET", "/values?step=1m").code == "bad_request")
    #expect(try gateway.ask("GET", "/values?patern=x").code == "bad_request")
    #expect(try gateway.ask("GET", "/values", token: nil).status == 401)
  }

  @Test func `the tag of another run of a cold signal does not hide its value`() throws {
    let first = try gateway.ask("GET", "/signals/climate.run?wait=30s")
    #expect(first.status == 200 && first.body == "true\n")
    _ = try gateway.ask("PUT", "/signals/climate.on", body: "false")
    let tag = try #require(first.headers["etag"])
    let second = try gateway.ask("GET", "/signals/climate.run?wait=30s", ["If-None-Match": tag])
    #expect(second.status == 200 && second.body == "false\n")
  }

  @Test func `a peak is kept in the interval that it is in`() throws {
    for value in ["5", "90", "-3", "6", "true", #""text""#, "7"] {
      _ = try gateway.ask("PUT", "/signals/climate.raw", body: value)
    }
    let query = "/values?pattern=climate.raw&history=1h&step=1d"
    func values(_ query: String) throws -> [String] {
      try gateway.ask("GET", query).body.matches(of: ##/"value":([^,]*),/##).map { String($0.1) }
    }
    #expect(try values(query) == ["7"])
    #expect(try values(query + "&extremes=true") == ["90", "-3", "7"])
    #expect(try gateway.ask("GET", query + "&extremes=yes").code == "bad_request")
    #expect(try gateway.ask("GET", "/values?history=1h&extremes=true").code == "bad_request")
  }

  @Test func `a token gets the values and metrics that it may read`() throws {
    _ = try gateway.ask("PUT", "/signals/jobs.pushed", body: "1")
    _ = try gateway.ask("PUT", "/signals/climate.raw", body: "5")
    #expect(try gateway.ask("GET", "/values").body.contains("jobs.pushed"))
    #expect(try !gateway.ask("GET", "/values", token: RunningGateway.readToken).body.contains("jobs"))
    #expect(try gateway.ask("GET", "/values?pattern=jobs.*", token: RunningGateway.readToken).body == "[]\n")
    let all = try gateway.ask("GET", "/metrics").body
    #expect(all.contains("# TYPE jobs_pushed gauge\njobs_pushed 1\n") && all.hasSuffix("# EOF\n"))
    let some = try gateway.ask("GET", "/metrics", token: RunningGateway.statsToken).body
    #expect(some.contains("raw_celsius{") && !some.contains("jobs_pushed"))
  }

  @Test func `labels are escaped, and numbers that JSON has not are written as OpenMetrics wants`() throws {
    _ = try gateway.ask("PUT", "/signals/climate.raw", body: "5")
    _ = try gateway.ask("PUT", "/signals/climate.raw", body: #"{"room":"k","t":1e300}"#)
    let text = try gateway.ask("GET", "/metrics").body
    #expect(text.contains("# UNIT raw_celsius celsius\n"))
    #expect(text.contains("raw_celsius{room=\"a\\\\b\\\"c\\nd\"} 5\n"), "\(text.suffix(900))")
    #expect(text.contains("signalbox_metric_series 2\n"))
  }
}

/// Pages of one's own, and those of other origins.
@Suite final class OwnPageTests {
  private let daemon: RunningDaemon
  private let gateway: RunningGateway
  private let folder = TemporaryFolder()

  init() throws {
    daemon = try RunningDaemon(Example.configuration)
    mkdir(folder("pages"), 0o755)
    mkdir(folder("pages/sub"), 0o755)
    try "<p>hello".write(toFile: folder("pages/index.html"), atomically: true, encoding: .utf8)
    try "body {}".write(toFile: folder("pages/sub/a b.css"), atomically: true, encoding: .utf8)
    try "secret".write(toFile: folder("secret"), atomically: true, encoding: .utf8)
    try "secret".write(toFile: folder("pages/.hidden"), atomically: true, encoding: .utf8)
    symlink("../secret", folder("pages/link"))
    symlink("..", folder("pages/up"))
    gateway = try RunningGateway(
      daemon, options: ["--static", folder("pages"), "--allow-origin", "https://app.example:8443"])
  }

  deinit {
    gateway.kill()
    daemon.stop()
  }

  private func write(_ text: String, to name: String) throws {
    try text.write(toFile: folder(name), atomically: true, encoding: .utf8)
  }

  @Test func `files are served with their types, and again only after a change`() throws {
    let page = try gateway.ask("GET", "/static/", token: nil)
    #expect(page.status == 200 && page.body == "<p>hello" && page.headers["content-type"] == "text/html; charset=utf-8")
    let tag = try #require(page.headers["etag"])
    #expect(try gateway.ask("GET", "/static/", token: nil, ["If-None-Match": "W/\(tag)"]).status == 304)
    #expect(try gateway.ask("GET", "/static/", token: nil, ["If-None-Match": "\(tag)\t, \"x\""]).status == 304)
    #expect(try gateway.ask("HEAD", "/static/index.html", token: nil).headers["content-length"] == "8")
    #expect(
      try gateway.ask("GET", "/static/sub/a%20b.css", token: nil).headers["content-type"] == "text/css; charset=utf-8")
    try write("<p>other", to: "pages/index.html")
    #expect(try gateway.ask("GET", "/static/", token: nil, ["If-None-Match": tag]).body == "<p>other")
    let redirection = try gateway.ask("GET", "/static/sub", token: nil)
    #expect(redirection.status == 308 && redirection.headers["location"] == "./sub/")
    #expect(try gateway.ask("PUT", "/static/x", token: nil, body: "1").status == 405)
  }

  @Test(arguments: [
    "../secret", "%2e%2e/secret", "..%2fsecret", "sub/../../secret", "link", "up/secret", ".hidden", "nothing", "sub/",
    "//etc/passwd", "index.html/x", "sub/%2e%2e/%2e%2e/secret",
  ])
  func `nothing outside the folder is reached`(path: String) throws {
    let answer = try gateway.ask("GET", "/static/\(path)", token: nil)
    #expect([400, 404].contains(answer.status) && !answer.body.contains("secret\n") && answer.body != "secret")
  }

  @Test func `an allowed origin may ask, another may not`() throws {
    let origin = "https://app.example:8443"
    let answer = try gateway.ask("GET", "/signals/climate.level", ["Origin": origin])
    #expect(answer.body == "5\n" && answer.headers["access-control-allow-origin"] == origin)
    #expect(answer.headers["vary"] == "Origin" && answer.headers["access-control-allow-credentials"] == nil)
    #expect(
      try gateway.ask("GET", "/signals/nothing.x", ["Origin": origin]).headers["access-control-allow-origin"] == origin)
    for other in ["https://app.example", "http://app.example:8443", "null", "https://evil.example"] {
      let refused = try gateway.ask("GET", "/signals/climate.level", ["Origin": other])
      #expect(refused.code == "forbidden_origin" && refused.headers["access-control-allow-origin"] == nil)
    }
    let preflight = try gateway.ask(
      "OPTIONS", "/signals/climate.raw", token: nil,
      ["Origin": origin, "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization"])
    #expect(
      preflight.status == 204 && preflight.headers["access-control-allow-headers"]?.contains("Authorization") == true)
    #expect(preflight.headers["access-control-allow-origin"] == origin)
    let wrong = try gateway.ask(
      "OPTIONS", "/signals/climate.raw", token: nil,
      ["Origin": "https://evil.example", "Access-Control-Request-Method": "PUT"])
    #expect(wrong.status == 403)
  }

  @Test(arguments: ["*", "null", "app.example", "https://", "https://a/b", "ftp://a"])
  func `an origin that is none is refused`(origin: String) {
    #expect(AllowedOrigins.mistake(in: origin)?.hasPrefix("must be SCHEME://HOST[:PORT]") == true)
    #expect(AllowedOrigins.mistake(in: "https://app.example:8443") == nil)
  }
}
