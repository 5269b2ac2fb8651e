/// Assembles the graphs of a configuration from their parts in files and in templates.
struct GraphSections {
  private let context: ReadingContext
  private let templates: Templates
  private(set) var all: [GraphSection] = []
  /// The views of graphs and templates.
  private(set) var views: [ViewPart] = []
  /// The keys of a graph.
  private static let keys = ["doc", "access", "durable", "cluster", "signals", "actions", "use", "tests", "views"]
  private var indices: [String: Int] = [:]

  init(_ templates: Templates, _ context: ReadingContext) {
    self.templates = templates
    self.context = context
  }

  /// Adds the graphs of a file or a template, then those of the templates that it uses.
  ///
  /// - Parameter inside: The enclosing templates, from the outermost on.
  mutating func add(_ graphs: ConfigNode?, _ use: ConfigNode?, inside: [String]) {
    if let graphs, !graphs.isAbsent { addGraphs(graphs, inside) }
    guard let use, !use.isAbsent else { return }
    for expansion in templates.expansions(of: use, .graphs, inside: inside) {
      addViews(expansion.body, of: nil, isOfTemplate: true)
      add(expansion.body["graphs"], expansion.body["use"], inside: inside + [expansion.template])
    }
  }

  /// Adds the expansion of an unused template; its signals form a graph of their own.
  mutating func add(unused template: TemplateDeclaration) {
    guard let expansion = templates.expansionForCheck(of: template) else { return }
    switch template.kind {
    case .graphs:
      addViews(expansion.body, of: nil, isOfTemplate: true)
      add(expansion.body["graphs"], expansion.body["use"], inside: [template.name])
    case .signals:
      addPart(GraphSection.Part(key: template.key, body: expansion.body), of: template.name, inside: [template.name])
    }
  }

  private mutating func addGraphs(_ section: ConfigNode, _ inside: [String]) {
    for entry in context.reader(section).entries() ?? [] {
      guard let name = context.name(key: entry.key) else { continue }
      guard name != "signalbox" else {
        context.problems.error("the graph \"signalbox\" is the daemon's own; choose another name", at: entry.key)
        continue
      }
      guard let mapping = context.reader(entry.value).mapping(of: Self.keys) else { continue }
      addPart(GraphSection.Part(key: entry.key, body: mapping.node), of: name, inside: inside)
    }
  }

  /// Adds the views of a graph or a template.
  ///
  /// - Parameter graph: The graph; `nil` for a template that has graphs.
  private mutating func addViews(_ body: ConfigNode, of graph: String?, isOfTemplate: Bool) {
    guard let section = body["views"], !section.isAbsent else { return }
    views += (context.reader(section).entries() ?? []).map {
      ViewPart(entry: $0, graph: graph, isOfTemplate: isOfTemplate)
    }
  }

  private mutating func addPart(_ part: GraphSection.Part, of name: String, inside: [String]) {
    if let index = indices[name] {
      all[index].parts.append(part)
    } else {
      indices[name] = all.count
      all.append(GraphSection(name: name, parts: [part]))
    }
    addViews(part.body, of: name, isOfTemplate: !inside.isEmpty)
    guard let use = part.body["use"], !use.isAbsent else { return }
    for expansion in templates.expansions(of: use, .signals, inside: inside) {
      addPart(
        GraphSection.Part(key: expansion.key, body: expansion.body), of: name, inside: inside + [expansion.template])
    }
  }
}
