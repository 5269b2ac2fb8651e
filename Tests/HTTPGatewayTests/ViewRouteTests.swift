import TestSupport
import Testing

/// The views of the configuration, as clients with different rights get them.
@Suite struct ViewRouteTests {
  private static let views = """
    views:
      kitchen:
        title: Kitchen
        show: [climate.smooth, {signal: climate.raw, as: slider, minimum: 0, maximum: 30}, jobs.pushed, jobs.echo]
      hall: {show: [jobs.pushed]}

    """

  private let example: Example
  private var gateway: RunningGateway { example.gateway }

  init() throws { example = try Example(Example.configuration + "\n" + Self.views) }

  @Test func `are listed with what may be sent`() throws {
    let answer = try gateway.ask("GET", "/views")
    #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
    #expect(
      answer.body == #"{"views":[{"name":"kitchen","title":"Kitchen","show":["#
        + #"{"signal":"climate.smooth","as":"value","send":false},"#
        + #"{"signal":"climate.raw","as":"slider","type":"number","minimum":0,"maximum":30,"send":true},"#
        + #"{"signal":"jobs.pushed","as":"text","type":"any","send":true},"#
        + #"{"action":"jobs.echo","as":"button","send":true}]},"#
        + #"{"name":"hall","title":"hall","show":[{"signal":"jobs.pushed","as":"text","type":"any","send":true}]}]}"#
        + "\n")
  }

  @Test func `show only what the token may read`() throws {
    let answer = try gateway.ask("GET", "/views", token: RunningGateway.readToken)
    #expect(
      answer.body == #"{"views":[{"name":"kitchen","title":"Kitchen","show":["#
        + #"{"signal":"climate.smooth","as":"value","send":false},"#
        + #"{"signal":"climate.raw","as":"slider","type":"number","minimum":0,"maximum":30,"send":false}]}]}"# + "\n")
    #expect(try gateway.ask("GET", "/views", token: RunningGateway.sendToken).body == "{\"views\":[]}\n")
    #expect(try gateway.ask("GET", "/views", token: nil).code == "unauthorized")
  }

  @Test func `plot together what the token may read of several signals`() throws {
    let plot = "[climate.smooth, climate.raw, lab.size]"
    let example = try Example(
      Example.configuration
        + "\n  lab: {signals: {size: {input: {type: number}}}}\nviews: {air: {show: [{signals: \(plot)}]}}\n")
    let signals = [("climate.smooth", true), ("climate.raw", false), ("lab.size", false)]
      .map { #"{"signal":"\#($0)","held":\#($1)}"# }
    func answer(_ signals: some Collection<String>) -> String {
      #"{"views":[{"name":"air","title":"air","show":[{"signals":[\#(signals.joined(separator: ","))],"#
        + #""as":"plot","period":3600,"send":false}]}]}"# + "\n"
    }
    #expect(try example.gateway.ask("GET", "/views").body == answer(signals))
    #expect(
      try example.gateway.ask("GET", "/views", token: RunningGateway.readToken).body == answer(signals.prefix(2)))
    #expect(try example.gateway.ask("GET", "/views", token: RunningGateway.sendToken).body == "{\"views\":[]}\n")
  }

  @Test func `follow a reload`() throws {
    try example.daemon.write(Example.configuration + "\nviews: {cellar: {show: ['climate.l*']}}\n")
    _ = try Client.send(#"{"op":"reload","id":1}"#, to: example.daemon.socket)
    #expect(
      try gateway.ask("GET", "/views").body
        == #"{"views":[{"name":"cellar","title":"cellar","show":[{"signal":"climate.level","as":"text","type":"number","send":true}]}]}"#
        + "\n")
  }

  // Others append parameters of their own to an address.
  @Test(arguments: ["/", "/?kiosk", "/?kiosk=1", "/?from=mail&view=kitchen"])
  func `have the page as their address`(path: String) throws {
    let answer = try gateway.ask("GET", path, token: nil)
    #expect(answer.status == 200 && answer.body.hasPrefix("<!DOCTYPE html>"))
  }
}
