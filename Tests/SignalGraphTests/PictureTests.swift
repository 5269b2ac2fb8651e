import SignalGraph
import Testing

struct PictureTests {
  private static let signals = """
    raw: {input: {type: object}, doc: 'what "they" send'}
    limit: {property: {initial: 25}}
    smooth: {from: raw, pipe: [{map: .value}, {window: {count: 5}}, skip_repeats], hold: true}
    recent: {from: raw, pipe: [{window: {time: 1m}}], private: true}
    alarm: {combine: {t: smooth, limit: limit}, pipe: [{map: .t > .limit}, {debounce: 2s}], replay: 10}
    all: {merge: [raw, {interval: 10s}]}
    paired: {from: raw, pipe: [{with_latest: limit}, {sample: {on: {from: smooth, pipe: [{take: 1}]}}}]}
    chosen: {switch: {on: raw, cases: {a: smooth}, default: {value: 0}}}
    grouped: {from: raw, pipe: [{group_by: {key: .id, idle: 1m, pipe: [{with_latest: limit}]}}]}
    """

  @Test func `kinds have shapes, what waits has a clock, and combine shows where a turn is gathered`() throws {
    let dot = try Self.picture(.dot)
    for line in [
      #""g.raw" [label="raw\ninput: {type: object}", shape=cds"#, #"tooltip="what \"they\" send"]"#,
      #""g.limit" [label="limit\nproperty: {initial: 25}", shape=cylinder"#,
      #""g.smooth" [label="smooth\nmap: .value\nwindow: {count: 5}\nskip_repeats\nhold"]"#,
      #""g.recent" [label="recent\n⏱ window: {time: 1m}", penwidth=2, color=gray60]"#,
      #""g.alarm/combine" [label="combine\nonce a turn", shape=diamond"#,
      #""g.smooth" -> "g.alarm/combine" [label="t"]"#, #""g.alarm/combine" -> "g.alarm""#,
      #""g.limit" -> "g.paired" [label="with_latest", style=dashed]"#, #"[label="⏱ interval: 10s", shape=ellipse"#,
      #""g.smooth" -> "g.chosen" [label="a"]"#, #""g.raw" -> "g.chosen" [label="on"]"#,
      #""g.limit" -> "g.grouped" [label="group_by", style=dashed]"#,
    ] { #expect(dot.contains(line)) }
    #expect(dot.hasPrefix("digraph signalbox {\n") && dot.hasSuffix("}\n"))
  }

  @Test func `Mermaid draws the same`() throws {
    let text = try Self.picture(.mermaid)
    for line in [
      "flowchart LR\n", "subgraph g0[\"g\"]", "n0>\"raw<br/>input: {type: object}\"]",
      "n1[(\"limit<br/>property: {initial: 25}\")]", "{\"combine<br/>once a turn\"}",
      "[\"alarm<br/>map: .t #gt; .limit<br/>⏱ debounce: 2s<br/>replay: 10\"]", "-.->|\"with_latest\"|", "-->|\"t\"|",
    ] { #expect(text.contains(line)) }
    #expect(!text.contains("unknown"))
  }

  private static func picture(_ language: PictureLanguage) throws -> String {
    try TestGraph.configuration(signals: signals).picture(as: language)
  }
}
