/// A file or directory of the configuration that could not be read.
package struct ConfigurationFileError: Error, Equatable, CustomStringConvertible {
  package let path: String
  package let failure: FileFailure

  package var description: String { "cannot read \(path): \(failure.meaning)" }
}
