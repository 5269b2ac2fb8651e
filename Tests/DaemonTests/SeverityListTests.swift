import TestSupport
import Testing

@Suite struct `The severity in the list` {
  private static let graphs = """
    g:
      signals:
        door: {property: {initial: false}, severity: warning}
        heat: {input: {}, hold: true, unit_of_measurement: °C, precision: 1, severity: {level: critical, when: .t > 30}}
        hidden: {property: {initial: true}, severity: info, access: {subscribe: []}}
    """

  @Test(arguments: HostKind.allCases) func `has the verdict on the held value`(kind: HostKind) throws {
    let client = try kind.start(Self.graphs).connect()
    #expect(try client.ask("list g.door").contains(#""severity":{"level":"warning","active":false}"#))
    try client.say("send g.door 0")
    #expect(try client.ask("list g.door").contains(#""severity":{"level":"warning","active":true}"#))
    let heat = #""unit":"°C","precision":1,"severity":{"level":"critical","when":".t > 30""#
    #expect(try client.ask("list g.heat").contains(heat + "}"))
    try client.say(#"send g.heat {"t":31}"#)
    #expect(try client.ask("list g.heat").contains(heat + #","active":true}"#))
    // A value that the condition refuses demands nothing.
    try client.say(#"send g.heat "hot""#)
    #expect(try client.ask("list g.heat").contains(heat + #","active":false}"#))
  }
}
