import TestSupport
import Testing

@Suite struct `The refusals in the list` {
  private static let graphs = """
    g:
      signals:
        in: {input: {}}
        half: {from: in, pipe: [{map: .x / 2}], hold: true}
        hidden: {from: in, pipe: [{map: .x / 2}], access: {subscribe: []}}
    """

  @Test(arguments: HostKind.allCases) func `are there until the signal emits`(kind: HostKind) throws {
    let client = try kind.start(Self.graphs).connect()
    #expect(try !client.ask("list g.half").contains("refused"))
    try client.say(#"send g.in {"x":"a"}"#)
    let refused = #""refused":{"code":""#
    let listed = try client.ask("list g.half")
    #expect(listed.contains(refused) && listed.contains(#""operator":"map","age":"#))
    #expect(try client.ask("describe g.half").contains(refused))
    try client.say(#"send g.in {"x":4}"#)
    #expect(try !client.ask("list g.half").contains("refused"))
    #expect(try client.ask("describe g.half").contains(refused))
  }
}
