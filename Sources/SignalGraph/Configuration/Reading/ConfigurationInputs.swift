/// What a configuration reads of the world, handed in so that a test can give it a world of its own.
package struct ConfigurationInputs: Sendable {
  package var environment: @Sendable (_ name: String) -> String?
  /// The content of a file, of at most so many bytes.
  package var readFile: @Sendable (_ path: String, _ limit: Int) -> Result<[UInt8], FileFailure>
  /// The names in a directory, in any order.
  package var listDirectory: @Sendable (_ path: String) -> Result<[String], FileFailure>

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
