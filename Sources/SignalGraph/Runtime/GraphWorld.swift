/// What graphs need of the system around them; the daemon gives the real one, tests a silent one.
package protocol GraphWorld: AnyObject {
  /// The bytes of a file, or `nil` when it is missing, not regular, unreadable or longer than `limit`.
  ///
  /// It never blocks on a pipe or a device. What is wrong beyond a missing file is for the world's log to say.
  func contents(ofFile path: String, limit: Int) -> [UInt8]?

  /// One line for the log, from a signal.
  func log(_ message: String, signal: String)
}
