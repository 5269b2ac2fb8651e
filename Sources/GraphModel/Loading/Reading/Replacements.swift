/// The values of `${…}`, each looked up once so that one reading of a configuration is consistent.
final class Replacements {
  private let inputs: ConfigurationInputs
  private var known: [String: Result<String, ReplacementError>] = [:]

  /// Enough for a secret or a snippet; not intended for data.
  private static let fileLimit = 1 << 20

  init(_ inputs: ConfigurationInputs) { self.inputs = inputs }

  /// Replaces every `${…}` in a text; the inserted text is not expanded again.
  func expand(_ text: String) throws(ReplacementError) -> String {
    guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
    var result = ""
    for piece in try PlaceholderText(text).pieces {
      switch piece {
      case .text(let text): result += text
      case .reference(let reference): result += try value(of: reference).get()
      }
    }
    return result
  }
  /// Returns the value of the reference between `${` and `}`.
  private func value(of reference: String) -> Result<String, ReplacementError> {
    if let value = known[reference] { return value }
    let value = Result { () throws(ReplacementError) in try read(reference) }
    known[reference] = value
    return value
  }

  private func read(_ reference: String) throws(ReplacementError) -> String {
    if reference.hasPrefix("file:") { return try file(String(reference.dropFirst(5))) }
    if reference.hasPrefix("cred:") { return try credential(String(reference.dropFirst(5))) }
    return try variable(reference)
  }

  private func variable(_ reference: String) throws(ReplacementError) -> String {
    let name = reference.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    let rest = reference.dropFirst(name.count)
    guard let first = name.first, !first.isNumber else { throw .unreadable(reference) }
    let value = inputs.environment(String(name))
    switch rest.prefix(2) {
    case "":
      guard let value else { throw .unset(String(name)) }
      return value
    case ":-": return value.flatMap { $0.isEmpty ? nil : $0 } ?? String(rest.dropFirst(2))
    case ":?":
      guard let value, !value.isEmpty else { throw .required(String(name), String(rest.dropFirst(2))) }
      return value
    default: throw .unreadable(reference)
    }
  }

  /// Reads a credential of systemd's `LoadCredential=` from the directory that systemd names.
  private func credential(_ name: String) throws(ReplacementError) -> String {
    guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else { throw .badCredential(name) }
    if let known = inputs.credential(name) { return try text(of: known.content, known.path) }
    guard let directory = inputs.environment("CREDENTIALS_DIRECTORY") else { throw .noCredentials(name) }
    return try file("\(directory)/\(name)")
  }

  private func file(_ path: String) throws(ReplacementError) -> String {
    guard path.hasPrefix("/") else { throw .relativePath(path) }
    return try text(of: inputs.readFile(path, Self.fileLimit), path)
  }

  private func text(of content: Result<[UInt8], FileFailure>, _ path: String) throws(ReplacementError) -> String {
    switch content {
    case .failure(let failure): throw .unreadableFile(path, failure)
    case .success(var bytes):
      if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
      guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText(path) }
      return text
    }
  }
}
