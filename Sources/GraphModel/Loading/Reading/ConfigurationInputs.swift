/// The external inputs of a configuration, injected so that tests can replace them.
package struct ConfigurationInputs: Sendable {
  package var environment: @Sendable (_ name: String) -> String?
  /// Returns the content of a file that does not exceed the limit.
  package var readFile: @Sendable (_ path: String, _ limit: Int) -> Result<[UInt8], FileFailure>
  /// Returns the names in a directory, in any order.
  package var listDirectory: @Sendable (_ path: String) -> Result<[String], FileFailure>
  /// Returns a credential known without systemd's credentials directory; `nil` to search that directory.
  package var credential: @Sendable (_ name: String) -> (path: String, content: Result<[UInt8], FileFailure>)? = { _ in
    nil
  }
  /// Checks for a user or group of that name on this machine.
  package var hasUser: @Sendable (_ name: String) -> Bool = { _ in true }
  package var hasGroup: @Sendable (_ name: String) -> Bool = { _ in true }
  /// The viewpoint of the reading: outside the service, a variable, a credential or permission to read a file may still
  /// be supplied, so a missing one is left open.
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
