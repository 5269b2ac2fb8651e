/// What graphs need of the system around them; the daemon gives the real one, tests a silent one.
package protocol GraphWorld: AnyObject {
  /// The bytes of a file, or `nil` when it is missing, not regular, unreadable or longer than `limit`.
  ///
  /// It never blocks on a pipe or a device. What is wrong beyond a missing file is for the world's log to say.
  func contents(ofFile path: String, limit: Int) -> [UInt8]?

  /// One line for the log, from a signal: something is not as it should be.
  func log(_ message: String, signal: String)

  /// One line for the log that a signal was asked to write.
  func trace(_ message: String, signal: String)
}

extension GraphWorld {
  package func trace(_ message: String, signal: String) { log(message, signal: signal) }
}
