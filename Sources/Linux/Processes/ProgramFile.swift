import Glibc

/// Finds the file of a program.
package enum ProgramFile {
  /// The folders in which programs given by name alone are looked for, whatever the daemon's own environment says.
  package static let searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

  /// The path of a program that can be run.
  ///
  /// - Throws: `ENOENT` where a name is nowhere to be found.
  package static func path(of command: String) throws(Errno) -> String {
    if command.contains("/") { return command }
    for folder in searchPath.split(separator: ":") {
      let path = "\(folder)/\(command)"
      if isRunnable(path) { return path }
    }
    throw Errno(ENOENT, call: "exec", subject: command)
  }

  /// Whether a file is there that this process may run.
  package static func isRunnable(_ path: String) -> Bool { access(path, X_OK) == 0 }
}
