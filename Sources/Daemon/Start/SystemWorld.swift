import Linux
import SignalGraph

/// The real world, for graphs that run in the daemon.
final class SystemWorld: GraphWorld {
  private let logbook: Log
  /// What was said last of a file that cannot be read, so that it is said once.
  private var complaints: [String: String] = [:]

  init(log: Log) { logbook = log }

  func contents(ofFile path: String, limit: Int) -> [UInt8]? {
    do throws(FileError) {
      let bytes = try RegularFile.read(path, limit: limit)
      complaints[path] = nil
      return bytes
    } catch {
      let complaint = "\(error)"
      if !error.isMissingFile && complaints[path] != complaint {
        logbook.warning("a file cannot be read: \(complaint)")
        complaints[path] = complaint
      }
      return nil
    }
  }

  func log(_ message: String, signal: String) {
    logbook.warning("\(signal): \(message)", ("signal", signal))
  }
}
