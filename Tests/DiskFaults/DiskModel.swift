/// A model of a disk that follows a trace and knows the possible contents of each file after the end of the process or
/// the machine.
///
/// A file is durable up to its last sync. Of later operations a power cut retains any part: each sector of a write,
/// each truncation, the file's name, its deletion, in any combination. A failed sync makes nothing durable.
package struct DiskModel {
  private var files: [String: FileModel] = [:]

  /// Creates a disk with durable files.
  package init(_ files: [String: [UInt8]] = [:]) {
    self.files = files.mapValues { FileModel($0) }
  }

  package mutating func apply(_ operation: DiskTrace.Operation) {
    files[operation.file, default: FileModel()].apply(operation)
  }

  /// The files seen by another process after this one was killed.
  package var afterKill: [String: [UInt8]] { files.compactMapValues(\.seen) }

  /// Returns possible files after a power cut.
  package func afterPowerCut(_ random: inout some RandomNumberGenerator) -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    // In a fixed order, so that a seed determines the outcome.
    for (name, file) in files.sorted(by: { $0.key < $1.key }) { found[name] = file.afterPowerCut(&random) }
    return found
  }
}
