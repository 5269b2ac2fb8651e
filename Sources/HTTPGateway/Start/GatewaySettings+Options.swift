internal import Glibc
internal import Linux

extension GatewaySettings {
  /// - Parameter ownToken: An additional token with all rights.
  /// - Throws: An error in the options, or in the access file.
  init(_ options: ParsedArguments, ownToken: String?) throws(StartFailure) {
    try self.init(
      daemonSocket: SocketPath.ofDaemon(option: options.argument(of: "socket")),
      configuration: options.argument(of: "config") ?? Self.defaultConfiguration,
      hosts: options.arguments(of: "host"), tokenFile: options.argument(of: "token-file"), ownToken: ownToken)
    state = options.argument(of: "state").map(CurrentProcess.absolutePath)
    let origins = options.arguments(of: "allow-origin")
    for origin in origins {
      guard let mistake = AllowedOrigins.mistake(in: origin) else { continue }
      throw StartFailure("--allow-origin \(mistake), not \(origin)", status: EX_USAGE)
    }
    self.origins = AllowedOrigins(origins)
    if let path = options.argument(of: "static") { pages = try Self.folder(ofPages: path) }
    if let text = options.argument(of: "max-connections") {
      mostConnections = try Self.count(text, "max-connections")
    }
    if let text = options.argument(of: "max-token-requests") {
      mostTokenRequests = try Self.count(text, "max-token-requests")
    }
  }

  private static func folder(ofPages path: String) throws(StartFailure) -> String {
    let path = CurrentProcess.absolutePath(path)
    guard FilePermissions(path: path)?.isFolder == true else {
      throw StartFailure("--static must be a folder, not \(path)", status: EX_USAGE)
    }
    return path
  }

  private static func count(_ text: String, _ option: String) throws(StartFailure) -> Int {
    if let count = Int(text), (1...100_000).contains(count) { return count }
    throw StartFailure("--\(option) must be a number from 1 to 100000, not \(text)", status: EX_USAGE)
  }
}

extension ParsedArguments {
  /// The arguments of an option that may be repeated.
  func arguments(of name: String) -> [String] { options.filter { $0.name == name }.compactMap(\.argument) }
}
