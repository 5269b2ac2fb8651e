import TestSupport
import Testing

/// The page's files and its view, as served to a browser.
@Suite struct PageTests {
  private let example: Example
  private var gateway: RunningGateway { example.gateway }

  init() throws { example = try Example() }

  @Test(arguments: [
    ("/", "text/html; charset=utf-8", "<!DOCTYPE html>"), ("/page.css", "text/css; charset=utf-8", ":root"),
    ("/page.js", "text/javascript; charset=utf-8", "class EventStream"),
  ])
  func `its files need no token and let nothing come from elsewhere`(_ path: String, _ type: String, _ part: String)
    throws
  {
    let answer = try gateway.ask("GET", path, token: nil)
    #expect(answer.status == 200 && answer.headers["content-type"] == type && answer.body.contains(part))
    #expect(answer.headers["content-security-policy"]?.hasPrefix("default-src 'none'; script-src 'self'; ") == true)
    for elsewhere in ["src=\"http", "href=\"http", "@import", "url(http"] { #expect(!answer.body.contains(elsewhere)) }
  }

  @Test func `the view has the newest values of what may be read`() throws {
    let view = try EventReader(gateway, path: "/view", token: RunningGateway.readToken)
    #expect(try view.next()?.name == "connected")
    _ = try gateway.ask("PUT", "/signals/jobs.pushed", body: "1")
    for number in 1...20 { _ = try gateway.ask("PUT", "/signals/climate.raw", body: "\(number)") }
    var text = ""
    while !text.contains("\"value\":40}") {
      let event = try #require(try view.next(named: "view"))
      text += event.data
    }
    #expect(text.contains("\"climate.smooth\":{\"seq\":20,\"at\":\"") && !text.contains("jobs."))
  }

  @Test func `a value that is large is shown by its size, and an end by its name`() throws {
    let view = try EventReader(gateway, path: "/view")
    let large = "\"" + String(repeating: "x", count: 2000) + "\""
    _ = try gateway.ask("PUT", "/signals/jobs.pushed", body: large)
    _ = try Client.send(#"{"op":"send","id":1,"signal":"climate.raw","event":"completed"}"#, to: example.daemon.socket)
    var text = ""
    while !text.contains("\"climate.raw\":{\"ended\":\"completed\"") || !text.contains("\"size\":2002}") {
      let event = try #require(try view.next(named: "view"))
      text += event.data
    }
    #expect(!text.contains("xxx"))
  }

  @Test func `the view outlives its daemon, and costs it nothing without viewers`() throws {
    do {
      let view = try EventReader(gateway, path: "/view")
      var first = ""
      while !first.contains("\"climate.level\"") { first += try #require(try view.next(named: "view")).data }
      example.daemon.kill()
      #expect(try view.next(named: "disconnected") != nil)
      try example.daemon.start()
      #expect(try view.next(named: "connected") != nil)
      _ = try gateway.ask("PUT", "/signals/climate.level", body: "6")
      var text = ""
      while !text.contains("\"value\":6}") { text += try #require(try view.next(named: "view")).data }
    }
    try gateway.wait { try gateway.ask("GET", "/metrics").body.contains("signalbox_subscriptions 0\n") }
  }

  @Test func `a declaration contains what may be known`() throws {
    let answer = try gateway.ask("GET", "/signals/climate.smooth/declaration", token: RunningGateway.readToken)
    #expect(answer.status == 200 && answer.body.contains(#""upstream":["climate.raw"]"#))
    #expect(!answer.body.contains(#""place":"#))
    #expect(try gateway.ask("GET", "/signals/climate.smooth/declaration").body.contains(#".yaml:"#))
    #expect(
      try gateway.ask("GET", "/signals/jobs.pushed/declaration", token: RunningGateway.readToken).code
        == "unknown_signal")
    #expect(try gateway.ask("GET", "/signals/climate.nothing/declaration").code == "unknown_signal")
  }
}
