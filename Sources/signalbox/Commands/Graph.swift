internal import Base
internal import GraphModel
internal import GraphTools

extension Command {
  static let graph = Command(
    name: "graph", operands: "[FILE|DIRECTORY]", kinds: [.configuration], summary: "draw the graphs of a configuration",
    details: """
      Shapes: a flag is an input, a cylinder a property, a box with round ends or an ellipse another source, a box a
      computed signal, a diamond a join, where the values of several signals of one turn are combined. A thick border
      waits for the clock. A dashed arrow is read but does not trigger, a thick arrow starts a new turn. No daemon is
      needed. In SVG, arrows are routed between the nodes; if that takes more than 20,000 places, as with some hundreds
      of signals with distant upstream signals, the longest are drawn straight.
      """,
    options: [
      ConfigurationFiles.option,
      Option(
        name: "format", letter: "f", argument: "FORMAT",
        doc: "svg, text (a tree; default on a terminal), mermaid, or dot (default in a pipe; for Graphviz)",
        kind: .word(formats)),
      Option(
        name: "output", letter: "o", argument: "FILE",
        doc: "write to FILE; the extension .svg, .txt, .mmd or .dot also selects the format", kind: .file),
      Option(name: "only", argument: "GRAPH", doc: "draw only this graph", kind: .listed(.graph)),
      Option(
        name: "fold-chains",
        doc: "draw signals in a row, each computed from the one before alone, as one (not as text)"),
    ],
    isOffline: true,
    examples: [
      Example("signalbox graph graphs.yaml", "a tree, on a terminal"),
      Example("signalbox graph -o graphs.svg graphs.yaml", "a picture"),
      Example("signalbox graph --format mermaid graphs.yaml", "for a page of documentation"),
      Example("signalbox graph graphs.yaml | dot -Tpng > graphs.png", "rendered by Graphviz"),
    ]
  ) { invocation throws(CommandError) in
    let format = try format(invocation)
    let configuration = try ConfigurationFiles.load(try ConfigurationFiles.source(invocation), invocation.output)
    let names = try names(invocation, configuration)
    guard let language = PictureLanguage(rawValue: format) else {
      let lines = configuration.pictureLines(of: names)
      if let path = invocation.text("output") {
        return try OutputFile.write(lines.map { $0.plain + "\n" }.joined(), to: path)
      }
      for line in TreeLines(lines, width: invocation.output.width).lines { invocation.output.line(line) }
      return
    }
    let text = configuration.picture(as: language, of: names, foldsChains: invocation.has("fold-chains"))
    if let path = invocation.text("output") { return try OutputFile.write(text, to: path) }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      invocation.output.line(String(line))
    }
  }

  private static let formats = ["svg", "text", "mermaid", "dot"]

  private static func format(_ invocation: Invocation) throws(CommandError) -> String {
    if let format = invocation.text("format") {
      if formats.contains(format) { return format }
      throw .usage("--format must be svg, text, mermaid or dot, not \(format)")
    }
    guard let path = invocation.text("output") else { return invocation.output.isForPeople ? "text" : "dot" }
    let endings = ["svg": "svg", "txt": "text", "mmd": "mermaid", "dot": "dot", "gv": "dot"]
    if let ending = path.split(separator: ".").last, let format = endings[String(ending)] { return format }
    throw .usage("--format is missing: \(path) does not end in .svg, .txt, .mmd or .dot")
  }

  private static func names(
    _ invocation: Invocation, _ configuration: Configuration
  ) throws(CommandError) -> Set<String> {
    guard let name = invocation.text("only") else { return [] }
    let known = configuration.graphs.map(\.name)
    if known.contains(name) { return [name] }
    let hint = Suggestion.likely(for: name, among: known).map { "; did you mean \($0)?" } ?? ""
    throw CommandError(.unknown, "no graph \(name)\(hint)")
  }
}
