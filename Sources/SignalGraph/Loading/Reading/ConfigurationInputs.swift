/// The world that a configuration reads, handed in so that a test can give it another.
package struct ConfigurationInputs: Sendable {
  package var environment: @Sendable (_ name: String) -> String?
  /// The content of a file, if it is no longer than the limit.
  package var readFile: @Sendable (_ path: String, _ limit: Int) -> Result<[UInt8], FileFailure>
  /// The names in a directory, in any order.
  package var listDirectory: @Sendable (_ path: String) -> Result<[String], FileFailure>
  /// A credential that is known without the folder that systemd makes for a service; `nil` where that is searched.
  package var credential: @Sendable (_ name: String) -> (path: String, content: Result<[UInt8], FileFailure>)? = { _ in
    nil
  }
  /// Whether a user or group of this machine has a name.
  package var hasUser: @Sendable (_ name: String) -> Bool = { _ in true }
  package var hasGroup: @Sendable (_ name: String) -> Bool = { _ in true }
  /// The place from which these are seen: away from the service, a variable, a credential or the right to read a file
  /// may yet be given, and is left open.
  package var viewpoint = Viewpoint.service

  package init(
    environment: @escaping @Sendable (String) -> String?,
    readFile: @escaping @Sendable (String, Int) -> Result<[UInt8], FileFailure>,
    listDirectory: @escaping @Sendable (String) -> Result<[String], FileFailure>
  ) {
    self.environment = environment
    self.readFile = readFile
    self.listDirectory = listDirectory
  }
}
