import Foundation
import FoundationXML
import GraphModel
import GraphTools
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

  @Test func `kinds have shapes, what waits has a thick border, and combine shows where a turn is gathered`() throws {
    let dot = try Self.picture(.dot)
    for line in [
      #""g.raw" [label="raw\ninput: {type: object}", shape=cds"#, #"tooltip="what \"they\" send"]"#,
      #""g.limit" [label="limit\nproperty: {initial: 25}", shape=cylinder"#,
      #""g.smooth" [label="smooth\nmap: .value\nwindow: {count: 5}\nskip_repeats\nhold"]"#,
      #""g.recent" [label="recent\nwindow: {time: 1m}", penwidth=2, color=gray60]"#,
      #""g.alarm/combine" [label="combine\nonce a turn", shape=diamond"#,
      #""g.smooth" -> "g.alarm/combine" [label="t"]"#, #""g.alarm/combine" -> "g.alarm""#,
      #""g.limit" -> "g.paired" [label="with_latest", style=dashed]"#, #"[label="interval: 10s", shape=ellipse"#,
      #""g.smooth" -> "g.chosen" [label="a"]"#, #""g.raw" -> "g.chosen" [label="on"]"#,
      #""g.limit" -> "g.grouped" [label="group_by", style=dashed]"#,
    ] { #expect(dot.contains(line)) }
    #expect(dot.hasPrefix("digraph signalbox {\n") && dot.hasSuffix("}\n"))
  }

  @Test func `a huge graph takes no more room than its longest arrows may have`() throws {
    let count = 200
    let signals = (1..<count).map { "s\($0): {combine: [s\($0 - 1), s\($0 / 2), s\($0 / 3)]}" }
    let configuration = try TestGraph.configuration(signals: (["s0: {input: {}}"] + signals).joined(separator: "\n"))
    let svg = configuration.picture(as: .svg)
    let curves = svg.utf8.count { $0 == UInt8(ascii: "C") }
    // Each of 20,000 places is a point to come to and one to leave.
    #expect((20_000..<40_000 + 4 * count).contains(curves), "\(curves)")
    for signal in ["s0", "s\(count - 1)"] { #expect(svg.contains(">\(signal)</text>")) }
    #expect(svg.split(separator: "<path d=").count > 4 * count)
  }

  @Test func `a chain folds into its last signal, from where nothing else is read`() throws {
    let configuration = try TestGraph.configuration(
      signals: """
        raw: {input: {}}
        other: {input: {}}
        a: {combine: [raw, other]}
        b: {from: a, pipe: [{map: .x}]}
        c: {from: b}
        tapped: {from: c}
        d: {from: tapped}
        e: {from: d, pipe: [{with_latest: other}]}
        f: {from: e}
        g: {from: f}
        grave: {from: c, severity: warning}
        h: {from: grave}
        i: {from: h}
        """)
    let dot = configuration.picture(as: .dot, foldsChains: true)
    for line in [
      #""g.c" [label="c\n← b\n← a"]"#, #""g.a/combine" -> "g.c""#, #""g.c" -> "g.tapped""#, #""g.c" -> "g.grave""#,
      #""g.tapped" -> "g.d""#, #""g.d" -> "g.g""#, #""g.other" -> "g.g" [label="with_latest""#,
      #""g.g" [label="g\n← f\n← e"]"#, #""g.grave" -> "g.h""#, #""g.h" -> "g.i""#,
    ] { #expect(dot.contains(line), "\(line)\n\(dot)") }
    let svg = configuration.picture(as: .svg, foldsChains: true)
    #expect(svg.contains(#"<g data-node="g.c" data-folded="g.b g.a">"#))
    #expect(!svg.contains(#"data-node="g.a""#))
    #expect(configuration.picture(as: .svg).contains(#"<g data-node="g.a">"#))
  }

  @Test func `Mermaid draws the same`() throws {
    let text = try Self.picture(.mermaid)
    for line in [
      "flowchart LR\n", "subgraph g0[\"g\"]", "n0>\"raw<br/>input: {type: object}\"]",
      "n1[(\"limit<br/>property: {initial: 25}\")]", "{\"combine<br/>once a turn\"}",
      "[\"alarm<br/>map: .t #gt; .limit<br/>debounce: 2s<br/>replay: 10\"]", "-.->|\"with_latest\"|", "-->|\"t\"|",
    ] { #expect(text.contains(line)) }
    #expect(!text.contains("unknown"))
  }

  @Test func `SVG is drawn with everything in it, also what XML has for itself`() throws {
    let svg = try Self.picture(.svg)
    let reader = SVGReader()
    #expect(reader.read(svg))
    for text in ["raw", "what \"they\" send", "map: .t > .limit", "debounce: 2s", "combine", "with_latest", "t"] {
      #expect(reader.texts.contains(text))
    }
    let dot = try Self.picture(.dot)
    #expect(reader.arrows == dot.components(separatedBy: " -> ").count - 1)
    #expect(try Self.picture(.svg) == svg)
  }

  @Test func `nothing in a drawing lies upon another box`() throws {
    let reader = SVGReader()
    #expect(reader.read(try Self.picture(.svg)))
    let boxes = reader.boxes
    #expect(boxes.count == 14)
    for (index, box) in boxes.enumerated() {
      for other in boxes[(index + 1)...] { #expect(!box.intersects(other), "\(box) \(other)") }
    }
  }

  @Test func `a tree on a terminal names what stands there already`() throws {
    let configuration = try TestGraph.configuration(
      signals: """
        raw: {input: {}}
        limit: {property: {initial: 25}}
        count: {from: raw, pipe: [{send_to: limit}]}
        alarm: {combine: {t: {from: raw}, l: limit}, pipe: [{map: .t > .l}]}
        """)
    #expect(
      configuration.pictureLines().map(\.plain) == [
        "g", "  raw  input", "  ├─▶ count  send_to: limit", "  │   └━▶ new turn g.limit",
        "  └─▶ t combine for alarm  once a turn", "      └─▶ alarm  map: .t > .l", "  limit  property: {initial: 25}",
        "  └─▶ l combine for alarm  (above)",
      ])
  }

  @Test func `what is outside of a picture has a name in every language`() throws {
    let configuration = try TestGraph.configuration(signals: "mine: {from: signalbox.errors}")
    #expect(configuration.picture(as: .dot).contains("\"signalbox.errors\" [label=\"signalbox.errors\", style=dashed]"))
    #expect(configuration.picture(as: .mermaid).contains("[\"elsewhere\"]\n    n1[\"signalbox.errors\"]"))
    #expect(configuration.picture(as: .svg).contains(">signalbox.errors</text>"))
  }

  @Test(arguments: PictureLanguage.allCases)
  func `a name that may not be shown is nowhere in a picture`(language: PictureLanguage) throws {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      graphs:
        g:
          signals:
            raw: {input: {}}
            chosen: {switch: {on: raw, cases: {a: h.x, b: {from: h.x, pipe: [take: 1]}}}}
            sent: {from: raw, pipe: [{map: .shown}, {send_to: h.x}, {call: {action: h.act, dead_letter: h.x}}]}
            open: {from: h.y}
        h:
          signals: {x: {input: {}}, y: {input: {}}}
          actions: {act: {exec: ["true"]}}
      """)
    let picture = configuration.picture(as: language, of: ["g"]) { $0.hasPrefix("g.") || $0 == "h.y" }
    for name in ["h.x", "h.act"] { #expect(!picture.contains(name), "\(picture)") }
    for name in ["h.y", "map: .shown", "chosen"] { #expect(picture.contains(name), "\(picture)") }
    #expect(configuration.picture(as: language, of: ["g"]).contains("h.x"))
  }

  @Test func `the messages that a signal publishes come from it`() throws {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      server: {connections: {home: {mqtt: 'mqtt://a'}}}
      graphs:
        g:
          signals:
            a: {input: {}, publish: [{mqtt: {connection: home, topic: t}}, {mqtt: {connection: home, topic: '"t/\\(.)"'}}]}
      """)
    #expect(
      configuration.pictureLines().map(\.plain) == [
        "g", "  a  input", "  └─▶ a.published  publish: mqtt t → publish: mqtt t/…",
      ])
  }

  private static func picture(_ language: PictureLanguage) throws -> String {
    try TestGraph.configuration(signals: signals).picture(as: language)
  }
}

/// The contents of a drawing.
private final class SVGReader: NSObject, XMLParserDelegate {
  private(set) var texts: [String] = []
  private(set) var arrows = 0
  /// The bounding boxes of the drawn nodes.
  private(set) var boxes: [CGRect] = []
  private var isInGroup = false
  private var text = ""

  func read(_ svg: String) -> Bool {
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = self
    return parser.parse()
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    text = ""
    if name == "g" { isInGroup = true }
    guard name == "path", let path = attributes["d"] else { return }
    if attributes["marker-end"] != nil { arrows += 1 } else if isInGroup { boxes.append(Self.box(of: path)) }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    if name == "g" { isInGroup = false }
    if ["text", "title"].contains(name) { texts.append(text) }
  }

  /// Returns the bounding box of an outline's points; radii and flags of arcs are skipped.
  private static func box(of path: String) -> CGRect {
    var (xs, ys): ([Double], [Double]) = ([], [])
    var rest = path[...]
    while let command = rest.popFirst() {
      let numbers = rest.prefix { !$0.isLetter }
      rest = rest.dropFirst(numbers.count)
      var values = numbers.split(separator: " ").compactMap { Double($0) }[...]
      if command == "A" { values = values.dropFirst(5) }
      switch command {
      case "H": xs += values
      case "V": ys += values
      default:
        for (index, value) in values.enumerated() { if index % 2 == 0 { xs.append(value) } else { ys.append(value) } }
      }
    }
    let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
    return CGRect(x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
  }
}
