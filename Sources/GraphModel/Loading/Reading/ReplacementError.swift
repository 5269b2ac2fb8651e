import Glibc

/// The reason for failing to replace a `${…}`.
enum ReplacementError: Error, Equatable {
  case unset(String)
  case required(String, String)
  case unreadable(String)
  case unclosed
  case relativePath(String)
  case unreadableFile(String, FileFailure)
  case notText(String)
  case badCredential(String)
  case noCredentials(String)

  var message: String {
    switch self {
    case .unset(let name): "the environment variable \(name) is not set; \"${\(name):-…}\" gives it a default"
    case .required(let name, let message): "\(name): \(message.isEmpty ? "must be set" : message)"
    case .unreadable(let reference):
      "\"${\(reference)}\" is not one of ${VAR}, ${VAR:-default}, ${VAR:?message}, ${file:/path}, ${cred:name}; "
        + "\"$${\" is a literal \"${\""
    case .unclosed: "\"${\" has no \"}\"; \"$${\" is a literal \"${\""
    case .relativePath(let path): "\"${file:\(path)}\" needs an absolute path"
    case .unreadableFile(let path, let failure): "cannot read \(path): \(failure.meaning)"
    case .notText(let path): "\(path) is not UTF-8 text"
    case .badCredential(let name): "invalid credential name \"\(name)\""
    case .noCredentials(let name):
      "no credential \"\(name)\": CREDENTIALS_DIRECTORY is not set (systemd sets it for LoadCredential=)"
    }
  }

  /// Returns the reference that may have a value where the graphs run; `nil` for one that is invalid anywhere.
  func openSubject(from viewpoint: Viewpoint) -> OpenReference.Subject? {
    if viewpoint == .service { return nil }
    return switch self {
    // Without evidence that the service sets it, a name is more likely misspelt.
    case .unset(let name): viewpoint == .unit ? .variable(name) : nil
    case .required(let name, _): .variable(name)
    case .noCredentials(let name): .credential(name)
    case .unreadableFile(let path, .system(EACCES)): .file(path)
    default: nil
    }
  }
}
