/// A model of a disk follows a trace and knows, for each file, how it would be found after the process or the machine
/// has ended.
///
/// A file is on the disk up to its last sync. Of what came since then, a power cut keeps any part: each sector of a
/// write, each truncation, the file's name, its deletion, in any combination. A sync that failed brings nothing there.
package struct DiskModel {
  private var files: [String: FileModel] = [:]

  /// Begins with files that are on the disk.
  package init(_ files: [String: [UInt8]] = [:]) {
    self.files = files.mapValues { FileModel($0) }
  }

  package mutating func apply(_ operation: DiskTrace.Operation) {
    files[operation.file, default: FileModel()].apply(operation)
  }

  /// The files as another process finds them after this one was killed.
  package var afterKill: [String: [UInt8]] { files.compactMapValues(\.seen) }

  /// The files as they may be found after a power cut.
  package func afterPowerCut(_ random: inout some RandomNumberGenerator) -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    // In an order that is the same each time, so that a seed means one outcome.
    for (name, file) in files.sorted(by: { $0.key < $1.key }) { found[name] = file.afterPowerCut(&random) }
    return found
  }
}
