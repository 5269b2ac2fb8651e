/// Reads the files of a configuration into one tree.
package struct ConfigurationLoader {
  private let context: ReadingContext
  private let inputs: ConfigurationInputs

  /// Larger files are no configurations.
  private static let fileLimit = 16 << 20

  private init(inputs: ConfigurationInputs, context: ReadingContext) {
    self.inputs = inputs
    self.context = context
  }

  /// Reads all files; errors inside them are reported to the context's problems.
  ///
  /// - Throws: the first file or directory that could not be read.
  package static func load(
    _ source: ConfigurationSource, inputs: ConfigurationInputs, context: ReadingContext
  ) throws(ConfigurationFileError) -> ConfigurationTree {
    let loader = ConfigurationLoader(inputs: inputs, context: context)
    var sections = Sections(context: context)
    var files: [SourceFile] = []
    for content in try loader.contents(of: source) {
      let (file, root) = ConfigurationText.read(
        content.bytes, name: content.path, index: files.count, problems: context.problems)
      files.append(file)
      if let root { sections.add(root) }
    }
    let used = sections.graphs()
    let unused = sections.templates.unused.map { template in
      var graphs = GraphSections(sections.templates, context)
      graphs.add(unused: template)
      return graphs
    }
    return ConfigurationTree(
      files: files, server: sections.server, graphs: used.all, views: sections.views + used.views,
      unused: unused.flatMap(\.all), unusedViews: unused.flatMap(\.views))
  }

  private typealias Content = (path: String, bytes: [UInt8])

  private func contents(of source: ConfigurationSource) throws(ConfigurationFileError) -> [Content] {
    switch inputs.readFile(source.path, Self.fileLimit) {
    case .failure(.isDirectory): return try directory(source.path)
    case .failure(let failure): throw ConfigurationFileError(path: source.path, failure: failure)
    case .success(let bytes):
      let main: Content = (source.path, bytes)
      if case .alone = source { return [main] }
      return try [main] + additions(beside: Self.directory(of: source.path))
    }
  }

  /// Reads `signalbox.yaml`, or `signalbox.json` if that is missing, and the additions in `conf.d`.
  private func directory(_ path: String) throws(ConfigurationFileError) -> [Content] {
    let prefix = path.hasSuffix("/") ? path : path + "/"
    let json = inputs.readFile(prefix + "signalbox.json", Self.fileLimit)
    let yaml = inputs.readFile(prefix + "signalbox.yaml", Self.fileLimit)
    let name = yaml == .failure(.missing) && json != .failure(.missing) ? "signalbox.json" : "signalbox.yaml"
    return try [read(prefix + name)] + additions(beside: prefix)
  }

  /// Reads `conf.d/*.yaml` and `conf.d/*.json`, ordered by the bytes of their names as in `LC_ALL=C ls`.
  private func additions(beside directory: String) throws(ConfigurationFileError) -> [Content] {
    let folder = directory + "conf.d"
    var contents: [Content] = []
    for name in try names(in: folder).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      contents.append(try read("\(folder)/\(name)"))
    }
    return contents
  }

  private func names(in folder: String) throws(ConfigurationFileError) -> [String] {
    switch inputs.listDirectory(folder) {
    case .success(let names):
      let visible = names.filter { !$0.hasPrefix(".") }
      for name in visible where name.hasSuffix(".yml") { warnLeftOut("\(folder)/\(name)") }
      return visible.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".json") }
    case .failure(.missing): return []
    case .failure(let failure): throw ConfigurationFileError(path: folder, failure: failure)
    }
  }

  /// Warns about `.yml` files: many programs accept that extension, so a silent omission would be a trap.
  private func warnLeftOut(_ path: String) {
    let file = SourceFile(name: path, index: .max, text: "")
    context.problems.warning("\(path) skipped: its name does not end in .yaml or .json", at: file.start)
  }

  private func read(_ path: String) throws(ConfigurationFileError) -> Content {
    switch inputs.readFile(path, Self.fileLimit) {
    case .success(let bytes): return (path, bytes)
    case .failure(let failure): throw ConfigurationFileError(path: path, failure: failure)
    }
  }

  /// The directory with its trailing `/`; empty for a bare name.
  private static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }
}
