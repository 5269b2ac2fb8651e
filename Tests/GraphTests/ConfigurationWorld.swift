import JSON

@testable import GraphModel

/// Files and an environment for reading a configuration.
struct ConfigurationWorld {
  var files: [String: String] = [:]
  var environment: [String: String] = [:]

  var inputs: ConfigurationInputs {
    let (files, environment) = (files, environment)
    return ConfigurationInputs(
      environment: { environment[$0] },
      readFile: { path, limit in
        // Time zones are those of the machine; its local one is left open.
        if path.hasPrefix("/usr/share/zoneinfo/") { return ConfigurationInputs.system.readFile(path, limit) }
        if files.keys.contains(where: { $0.hasPrefix(path.hasSuffix("/") ? path : path + "/") }) {
          return .failure(.isDirectory)
        }
        guard let text = files[path] else { return .failure(.missing) }
        return text.utf8.count > limit ? .failure(.tooLarge(limit: limit)) : .success(Array(text.utf8))
      },
      listDirectory: { path in
        let names = files.keys.filter { $0.hasPrefix(path + "/") }.map { String($0.dropFirst(path.count + 1)) }
        return names.isEmpty ? .failure(.missing) : .success(names)
      })
  }

  /// Reads a configuration and returns it with its diagnostics.
  func load(_ source: ConfigurationSource) throws -> (tree: ConfigurationTree, settings: ServerSettings, found: String)
  {
    let context = ReadingContext(problems: Problems(), inputs: inputs)
    let tree = try ConfigurationLoader.load(source, inputs: inputs, context: context)
    let settings = ServerSettings(reading: tree.server, context)
    return (tree, settings, DiagnosticRenderer.text(context.problems.diagnostics))
  }

  /// Reads one node of YAML and returns the result with its diagnostics.
  func read<Value>(_ text: String, _ way: (Reader) -> Value) -> (value: Value, found: String) {
    let context = ReadingContext(problems: Problems(), inputs: inputs)
    let parsed = ConfigurationText.read(Array(text.utf8), name: "f.yaml", index: 0, problems: context.problems)
    let root = parsed.root ?? ConfigNode(place: parsed.file.start, content: .sequence([]))
    let value = way(context.reader(root))
    return (value, DiagnosticRenderer.text(context.problems.diagnostics))
  }
}

/// Parses a text by its file's name and returns its tree as JSON text, or its diagnostics.
func parse(_ text: String, name: String = "f.yaml") -> String {
  parse(Array(text.utf8), name: name)
}

func parse(_ bytes: [UInt8], name: String = "f.yaml") -> String {
  let problems = Problems()
  let root = ConfigurationText.read(bytes, name: name, index: 0, problems: problems).root
  let found = DiagnosticRenderer.text(problems.diagnostics)
  return found.isEmpty ? root?.declaration.written ?? "" : found
}

extension JSONValue {
  /// A notation for comparisons: verbatim text is marked with `~`.
  var written: String {
    switch self {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .number: description
    case .string(let string): string.debugDescription
    case .array(let elements): "[" + elements.map(\.written).joined(separator: ",") + "]"
    case .object(let object):
      "{" + object.members.map { "\($0.key):\($0.value.written)" }.joined(separator: ",") + "}"
    case .verbatim(let verbatim): "~" + verbatim.text
    }
  }
}
