import Linux
import SignalGraph

/// The real world, for graphs that run in the daemon.
final class SystemWorld: GraphWorld {
  private let logbook: Log

  init(log: Log) { logbook = log }

  func contents(ofFile path: String, limit: Int) -> [UInt8]? {
    do throws(FileError) {
      return try RegularFile.read(path, limit: limit)
    } catch {
      if !error.isMissingFile { logbook.warning("a file cannot be read: \(error)") }
      return nil
    }
  }

  func log(_ message: String, signal: String) {
    logbook.warning("\(signal): \(message)", ("signal", signal))
  }
}
