internal import GraphModel
internal import JSON
internal import Linux
internal import WireProtocol

/// The errors of a configuration that the daemon has rejected, with their source lines where this client can read them.
struct RefusalText {
  /// The errors as in the reply to `reload`.
  let errors: [JSONObject]
  /// The path of the daemon's configuration, for relative names; `nil` if it is unknown.
  let configuration: String?

  /// The largest file to look into.
  private static let largestFile = 16 << 20

  /// True if names of files depend on the folder that the daemon was started in.
  static func hasRelativeNames(_ errors: [JSONObject]) -> Bool { errors.contains { !$0.text("file").hasPrefix("/") } }

  var lines: [MarkedText] {
    let related = errors.compactMap { if case .object(let related)? = $0["related"] { related } else { nil } }
    let names = Set((errors + related).map { $0.text("file") })
    let files = Dictionary(uniqueKeysWithValues: names.map { ($0, file($0)) })
    return errors.flatMap { error in DiagnosticRenderer.lines(Diagnostics([Self.diagnostic(error, files)])) }
  }

  private static func diagnostic(_ error: JSONObject, _ files: [String: SourceFile]) -> Diagnostic {
    var related: Diagnostic.Related?
    if case .object(let note)? = error["related"] {
      related = Diagnostic.Related(note.text("message"), at: place(note, files))
    }
    var diagnostic = Diagnostic(
      Diagnostic.Severity(rawValue: error.text("severity")) ?? .error, error.text("message"), at: place(error, files),
      length: number(error["length"]), suggestion: optional(error.text("suggestion")), related: related)
    diagnostic.example = optional(error.text("example"))
    return diagnostic
  }

  private static func optional(_ text: String) -> String? { text.isEmpty ? nil : text }

  private static func place(_ object: JSONObject, _ files: [String: SourceFile]) -> Place {
    let name = object.text("file")
    return Place(
      file: files[name] ?? SourceFile(name: name, text: ""), line: number(object["line"]),
      column: number(object["column"]))
  }

  /// Returns a positive number.
  private static func number(_ value: JSONValue?) -> Int {
    if case .number(let number)? = value?.plain { max(1, Int(exactly: number) ?? 1) } else { 1 }
  }

  /// Returns a file, without a text if it cannot be read.
  private func file(_ name: String) -> SourceFile {
    let bytes = path(of: name).flatMap { try? RegularFile.read($0, limit: Self.largestFile) } ?? []
    return SourceFile(name: name, text: String(decoding: bytes, as: UTF8.self))
  }

  /// Returns the path of a file; `nil` if it depends on an unknown folder.
  private func path(of name: String) -> String? {
    if name.hasPrefix("/") { return name }
    return configuration?.hasSuffix("/\(name)") == true ? configuration : nil
  }
}
