import GraphCatalogue
import GraphEngine
import GraphModel
import JSON

/// Builds the diagram from the declarations of the files and from the catalogue.
struct PictureBuilder {
  private var picture = Picture()
  private var cluster = Picture.Cluster(title: "", documentation: nil)
  private var graph = ""

  /// The full names of signals and actions that the picture may not have.
  private let hidden: Set<String>
  /// True if the present signal's declaration has a hidden name.
  private var hasHiddenNames = false

  private init(hiding hidden: Set<String>) { self.hidden = hidden }

  static func picture(of graphs: [GraphDeclaration], hiding hidden: Set<String> = []) -> Picture {
    var builder = PictureBuilder(hiding: hidden)
    for graph in graphs { builder.add(graph) }
    if !hidden.isEmpty { builder.removeHidden() }
    builder.addOutside()
    return builder.picture
  }

  /// Removes hidden signals and their parts.
  private mutating func removeHidden() {
    func isHidden(_ id: String) -> Bool {
      let name = String(id.prefix { $0 != "/" })
      // A name that is made of variables may stand for a hidden one.
      return hidden.contains(name) || name.contains("${")
    }
    for index in picture.clusters.indices { picture.clusters[index].nodes.removeAll { isHidden($0.id) } }
    picture.edges.removeAll { isHidden($0.from) || isHidden($0.to) }
  }

  /// Adds the ends of edges that belong to no graph in the diagram.
  private mutating func addOutside() {
    var known = Set(picture.clusters.flatMap(\.nodes).map(\.id))
    let ends = picture.edges.flatMap { [$0.from, $0.to] }.filter { known.insert($0).inserted }
    if ends.isEmpty { return }
    let nodes = ends.map { Picture.Node(id: $0, shape: .outside, title: $0) }
    picture.clusters.append(Picture.Cluster(title: "elsewhere", documentation: nil, nodes: nodes))
  }

  private mutating func add(_ graph: GraphDeclaration) {
    self.graph = graph.name
    cluster = Picture.Cluster(title: graph.name, documentation: graph.documentation)
    for signal in graph.signals { add(signal) }
    picture.clusters.append(cluster)
  }

  private mutating func add(_ signal: SignalDeclaration) {
    if signal.isCondition { return addCondition(signal) }
    hasHiddenNames = !hidden.isEmpty && signal.namedParts.contains(where: hidden.contains)
    var node = Picture.Node(
      id: signal.name, shape: Picture.Node.Shape(signal.kind), title: String(signal.name.dropFirst(graph.count + 1)))
    node.documentation = signal.traits.documentation
    node.isPrivate = signal.traits.isPrivate
    node.hasSeverity = signal.traits.severity != nil
    if signal.kind == .action { return cluster.nodes.append(node) }
    if !signal.publications.isEmpty { return add(node, publishing: signal) }
    guard case .object(let declaration) = signal.text.plain else { return }
    draw(declaration, as: node)
  }

  /// Adds the signal of the messages that another one publishes.
  private mutating func add(_ node: Picture.Node, publishing signal: SignalDeclaration) {
    var node = node
    node.lines = signal.publications.map { Picture.Line(text: "publish: \($0.kind.rawValue) \($0.topic.brief)") }
    cluster.nodes.append(node)
    picture.edges += signal.upstream.map { Picture.Edge(from: $0, to: node.id) }
  }

  /// Adds the edge from the signal in an action's `enabled_if`.
  private mutating func addCondition(_ signal: SignalDeclaration) {
    let action = signal.name.split(separator: ".").dropLast().joined(separator: ".")
    for name in signal.upstream {
      picture.edges.append(
        Picture.Edge(from: name, to: ActionSignal.enabled.name(of: action), label: "enabled_if", kind: .side))
    }
  }

  /// Draws a named or inline declaration.
  private mutating func draw(_ declaration: JSONObject, as node: Picture.Node) {
    var node = node
    for source in Catalogue.sources(of: declaration) {
      draw(source, declaration[source.name] ?? .null, beside: declaration, on: &node)
    }
    if case .array(let pipe)? = declaration["pipe"]?.plain {
      for item in pipe { draw(operator: item, on: &node) }
    }
    for trait in ["hold", "replay", "lazy", "cold"] {
      guard let value = declaration[trait], value != false else { continue }
      node.lines.append(Picture.Line(text: value == true ? trait : "\(trait): \(value.brief)"))
    }
    cluster.nodes.append(node)
  }

  private mutating func draw(
    _ source: SourceDeclaration, _ argument: JSONValue, beside: JSONObject, on node: inout Picture.Node
  ) {
    let inside = source.parameters.filter(\.isInside)
    if inside.contains(where: { $0.shape == .signals }) {
      let join = Picture.Node(
        id: "\(node.id)/\(source.name)", shape: .join, title: source.name,
        lines: [Picture.Line(text: beside["emit"] == "event" ? "each event" : "once a turn")])
      cluster.nodes.append(join)
      connect(signals: argument, to: join.id)
      picture.edges.append(Picture.Edge(from: join.id, to: node.id))
    } else if inside.contains(where: { $0.shape == .signal }) {
      for (signal, label) in signals(in: argument, inside) {
        connect(signal, to: node.id, label: inside.count == 1 ? nil : label, .value)
      }
      if source.name != "from" { node.lines.append(line(source.name, argument, inside)) }
    } else {
      node.lines.append(line(source.name, argument, inside))
    }
  }

  private mutating func draw(operator item: JSONValue, on node: inout Picture.Node) {
    let (name, argument) = Self.parts(of: item)
    let parameters = Catalogue.operator(named: name)?.parameters ?? []
    node.lines.append(line(name, argument, parameters))
    if name == "send_to", let argument {
      // The target receives values: the edge leads to it.
      guard case .string(let target) = argument.plain else { return }
      picture.edges.append(Picture.Edge(from: node.id, to: fullName(target), label: "new turn", kind: .newTurn))
    } else if name == "call", let action = argument?.parameter("action") {
      let outputs = ActionSignal.values.name(of: fullName(action))
      picture.edges.append(Picture.Edge(from: node.id, to: outputs, label: "call", kind: .newTurn))
    } else if let argument {
      for (signal, _) in signals(in: argument, parameters) { connect(signal, to: node.id, label: name, .side) }
    }
  }

  /// Returns the name and the argument of a pipe item.
  private static func parts(of item: JSONValue) -> (name: String, argument: JSONValue?) {
    switch item.plain {
    case .string(let name): return (name, nil)
    case .object(let object):
      guard let member = object.members.first else { return ("", nil) }
      return (member.key, member.value.plain == .null ? nil : member.value)
    default: return ("", nil)
    }
  }

  private func line(_ name: String, _ argument: JSONValue?, _ parameters: [ParameterDescription]) -> Picture.Line {
    guard let argument = argument.map(withoutHidden), argument != [:] else { return Picture.Line(text: name) }
    return Picture.Line(text: "\(name): \(argument.brief)", isTimed: Self.isTimed(argument, parameters))
  }

  /// Returns an argument with `null` in place of each hidden name.
  private func withoutHidden(_ argument: JSONValue) -> JSONValue {
    if hidden.isEmpty { return argument }
    return argument.hiding { text in
      hidden.contains(text) || hidden.contains(fullName(text)) || hasHiddenNames && text.contains("${")
    }
  }

  /// Checks an argument for durations.
  private static func isTimed(_ argument: JSONValue, _ parameters: [ParameterDescription]) -> Bool {
    let durations = parameters.filter { $0.shape == .duration }
    guard case .object(let object) = argument.plain else {
      return durations.contains { $0.form == "plain" || $0.form == "only" }
    }
    return durations.contains { object[$0.name] != nil }
  }

  // MARK: Signals in a declaration

  /// Returns the signals in an argument with the names of their parameters, or their keys in a map.
  private func signals(in argument: JSONValue, _ parameters: [ParameterDescription]) -> [(JSONValue, String)] {
    let named = parameters.filter { $0.shape == .signal }
    if let only = named.first(where: { $0.form == "only" }) { return [(argument, only.name)] }
    guard case .object(let object) = argument.plain else {
      return named.filter { $0.form == "plain" }.map { (argument, $0.name) }
    }
    return parameters.flatMap { parameter -> [(JSONValue, String)] in
      guard let given = object[parameter.name] else { return [] }
      switch (parameter.shape, given.plain) {
      case (.signal, _): return [(given, parameter.name)]
      case (.cases, .object(let cases)): return cases.members.map { ($0.value, $0.key) }
      case (.pipe, .array(let items)): return items.flatMap(signals(of:))
      default: return []
      }
    }
  }

  /// Returns the signals in a pipe item.
  private func signals(of item: JSONValue) -> [(JSONValue, String)] {
    let (name, argument) = Self.parts(of: item)
    guard name != "send_to", let argument else { return [] }
    return signals(in: argument, Catalogue.operator(named: name)?.parameters ?? [])
  }

  private mutating func connect(signals argument: JSONValue, to id: String) {
    switch argument.plain {
    case .array(let elements):
      for element in elements { connect(element, to: id, label: nil, .value) }
    case .object(let object):
      for member in object.members { connect(member.value, to: id, label: member.key, .value) }
    default: break
    }
  }

  /// Draws the edge from a named or inline signal.
  private mutating func connect(_ signal: JSONValue, to id: String, label: String?, _ kind: Picture.Edge.Kind) {
    switch signal.plain {
    case .string(let name):
      picture.edges.append(Picture.Edge(from: fullName(name), to: id, label: label, kind: kind))
    case .object(let declaration):
      // A declaration with only `from` is an alias of that signal.
      if declaration.count == 1, let name = declaration["from"] { return connect(name, to: id, label: label, kind) }
      let inline = "\(id)/\(picture.edges.count)"
      draw(declaration, as: Picture.Node(id: inline, shape: Self.shape(of: declaration), title: ""))
      picture.edges.append(Picture.Edge(from: inline, to: id, label: label, kind: kind))
    default: break
    }
  }

  private static func shape(of declaration: JSONObject) -> Picture.Node.Shape {
    let source = Catalogue.sources(of: declaration).first
    return Picture.Node.Shape(source?.kind ?? .derived)
  }

  private func fullName(_ name: String) -> String { name.contains(".") ? name : "\(graph).\(name)" }
}

extension JSONValue {
  /// Returns a text that is the value itself, or its member of that name.
  fileprivate func parameter(_ name: String) -> String? {
    switch plain {
    case .string(let text): text
    case .object(let object): object[name]?.parameter("")
    default: nil
    }
  }
}

extension ComputedTopic {
  /// The topic, or the beginning of one that is computed.
  fileprivate var brief: String {
    switch self {
    case .fixed(_, let shown): shown
    case .computed(_, let prefix): "\(prefix)…"
    }
  }
}

extension Picture.Node.Shape {
  fileprivate init(_ kind: SignalKind) {
    switch kind {
    case .input: self = .input
    case .property: self = .property
    case .source: self = .source
    case .derived: self = .derived
    case .action: self = .action
    }
  }
}

extension JSONValue {
  /// The value in the notation of a file, truncated to 40 characters.
  fileprivate var brief: String {
    let text = flow.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return text.count > 40 ? String(text.prefix(39)) + "…" : text
  }

  private var flow: String {
    switch plain {
    case .string(let text): text
    case .array(let elements): "[" + elements.map(\.flow).joined(separator: ", ") + "]"
    case .object(let object):
      "{" + object.members.map { "\($0.key): \($0.value.flow)" }.joined(separator: ", ") + "}"
    default: description
    }
  }
}
