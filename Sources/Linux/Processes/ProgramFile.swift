import Glibc

/// Lookup of executables.
package enum ProgramFile {
  /// The search path for programs given by name, independent of the daemon's environment.
  package static let searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

  /// Returns the path of an executable.
  ///
  /// - Throws: `ENOENT` if a name is not found.
  package static func path(of command: String) throws(Errno) -> String {
    if command.contains("/") { return command }
    for folder in searchPath.split(separator: ":") {
      let path = "\(folder)/\(command)"
      if isRunnable(path) { return path }
    }
    throw Errno(ENOENT, call: "exec", subject: command)
  }

  /// Checks the permission to execute a file.
  package static func isRunnable(_ path: String) -> Bool { access(path, X_OK) == 0 }
}
