import Base
import JSON

/// Assembles the top-level sections of several files.
///
/// A template may follow its uses in a later file, so graphs are assembled after all files are read.
struct Sections {
  private let context: ReadingContext
  private(set) var server: ConfigNode?
  private(set) var views: [ViewPart] = []
  /// The graphs and template uses at the top level of the files, in order.
  private var contents: [(graphs: ConfigNode?, use: ConfigNode?)] = []
  let templates: Templates

  private static let keys = ["signalbox", "server", "templates", "views", "graphs", "use"]
  /// The beginning of keys whose values are there for anchors alone.
  private static let anchors = "x-"

  init(context: ReadingContext) {
    self.context = context
    templates = Templates(context)
  }

  /// Adds a file's root; a root of another version is skipped, since its keys may differ in meaning.
  mutating func add(_ root: ConfigNode) {
    if root.scalar?.isAbsent == true { return reportMissingVersion(in: root) }
    guard hasKnownVersion(root),
      let reader = context.reader(root).mapping(of: Self.keys, exceptFor: Self.anchors)
    else { return }
    if reader.optional("signalbox") == nil { reportMissingVersion(in: root) }
    if let section = reader.optional("server"), !section.isAbsent {
      server = server.map { Self.merge($0, section.node) } ?? section.node
    }
    if let section = reader.optional("templates"), !section.isAbsent { templates.declare(section) }
    if let section = reader.optional("views"), !section.isAbsent {
      views += (section.entries() ?? []).map { ViewPart(entry: $0, graph: nil, isOfTemplate: false) }
    }
    contents.append((reader.optional("graphs")?.node, reader.optional("use")?.node))
  }

  /// Returns the graphs of all files, with the expansions of templates and their views.
  func graphs() -> GraphSections {
    var graphs = GraphSections(templates, context)
    for (section, use) in contents { graphs.add(section, use, inside: []) }
    return graphs
  }

  private func hasKnownVersion(_ root: ConfigNode) -> Bool {
    guard let version = root["signalbox"] else { return true }
    if case .number(1) = version.declaration.plain { return true }
    context.problems.error(
      "unsupported format version: found \(version.summary), expected \"signalbox: 1\"",
      at: version)
    return false
  }

  private func reportMissingVersion(in root: ConfigNode) {
    context.problems.error(
      "missing format version; begin the file with \"signalbox: 1\"",
      at: root.place.source.start)
  }

  /// Merges key by key; unless both are mappings, the later one wins, except an empty mapping.
  private static func merge(_ earlier: ConfigNode, _ later: ConfigNode) -> ConfigNode {
    guard var entries = earlier.entries else { return later }
    if later.scalar?.isAbsent == true { return earlier }
    guard let added = later.entries else { return later }
    for entry in added {
      if let index = entries.firstIndex(where: { $0.name.hasSameBytes(as: entry.name) }) {
        entries[index] = .init(key: entry.key, value: merge(entries[index].value, entry.value))
      } else {
        entries.append(entry)
      }
    }
    return ConfigNode(place: later.place, length: later.length, content: .mapping(entries))
  }
}
