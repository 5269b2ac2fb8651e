import JSON

/// Puts together the top-level sections of several files.
///
/// A template may stand in a file behind those that use it, so graphs are put together once all files are there.
struct Sections {
  private let context: ReadingContext
  private(set) var server: ConfigNode?
  /// The graphs and the uses of templates at the top of the files, in their order.
  private var contents: [(graphs: ConfigNode?, use: ConfigNode?)] = []
  let templates: Templates

  init(context: ReadingContext) {
    self.context = context
    templates = Templates(context)
  }

  /// Takes in a file's root; one of another version is left out, since its keys may mean something else.
  mutating func add(_ root: ConfigNode) {
    if root.scalar?.isAbsent == true { return reportMissingVersion(in: root) }
    guard let reader = context.reader(root).mapping(), hasKnownVersion(reader) else { return }
    if let section = reader.optional("server"), !section.isAbsent {
      server = server.map { Self.merge($0, section.node) } ?? section.node
    }
    if let section = reader.optional("templates"), !section.isAbsent { templates.declare(section) }
    contents.append((reader.optional("graphs")?.node, reader.optional("use")?.node))
    reader.finish()
  }

  /// The graphs of all files, with all that templates give them.
  func graphs() -> [GraphSection] {
    var graphs = GraphSections(templates, context)
    for (section, use) in contents { graphs.add(section, use, inside: []) }
    return graphs.all
  }

  private func hasKnownVersion(_ reader: MappingReader) -> Bool {
    guard let version = reader.optional("signalbox") else {
      reportMissingVersion(in: reader.node)
      return true
    }
    if case .number(1) = version.node.declaration.plain { return true }
    context.problems.error(
      "this version of the format is not known here, found \(version.node.summary); write \"signalbox: 1\"",
      at: version)
    return false
  }

  private func reportMissingVersion(in root: ConfigNode) {
    context.problems.error(
      "this file does not say in which version of the format it is written; begin it with \"signalbox: 1\"",
      at: root.place.source.start)
  }

  /// Key by key; where not both are mappings the later wins, unless it is a mapping left empty.
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
