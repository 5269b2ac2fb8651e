internal import SignalGraph

extension Command {
  static let graph = Command(
    name: "graph", operands: "[FILE|DIRECTORY]", kinds: [.file], summary: "draw the graphs of a configuration",
    details: """
      By their shapes: a flag is an input, a cylinder a property, an ellipse another source, a box a computed signal, a
      diamond where the values that several signals made in one turn come together. A clock stands before what waits. A
      dashed arrow is looked at but not passed on, a thick one opens a new turn. No daemon is needed.
      """,
    options: [
      ConfigurationFiles.option,
      Option(
        name: "format", letter: "f", argument: "FORMAT",
        doc: "dot (default, for Graphviz), mermaid, or svg, which Graphviz draws if it is installed",
        kind: .word(["dot", "mermaid", "svg"])),
      Option(name: "only", argument: "GRAPH", doc: "draw this graph alone"),
    ],
    isOffline: true,
    examples: [
      Example("signalbox graph --format svg graphs.yaml > graphs.svg", "a picture, drawn by Graphviz"),
      Example("signalbox graph --format mermaid graphs.yaml", "for a page of documentation"),
    ]
  ) { invocation throws(CommandError) in
    let format = invocation.text("format") ?? "dot"
    guard format == "svg" || PictureLanguage(rawValue: format) != nil else {
      throw .usage("--format must be svg, dot or mermaid, not \(format)")
    }
    let configuration = try ConfigurationFiles.load(try ConfigurationFiles.source(invocation), invocation.output)
    let names = try names(invocation, configuration)
    let text = configuration.picture(as: PictureLanguage(rawValue: format) ?? .dot, of: names)
    if format != "svg" { return invocation.output.text(text) }
    try Graphviz.draw(text, as: format)
  }

  private static func names(
    _ invocation: Invocation, _ configuration: Configuration
  ) throws(CommandError) -> Set<String> {
    guard let name = invocation.text("only") else { return [] }
    let known = configuration.graphs.map(\.name)
    if known.contains(name) { return [name] }
    let hint = Suggestion.nearest(to: name, in: known).map { "; did you mean \($0)?" } ?? ""
    throw CommandError(.unknown, "no graph \(name)\(hint)")
  }
}
