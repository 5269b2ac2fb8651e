package import Journal
import SignalGraph

/// The way of all durable graphs of a folder to another one: their state as it is now, without their past.
package enum StateTransfer {
  /// The content of a file that holds the state, and the name of its numbering.
  ///
  /// - Parameter parent: A folder in which something may be written meanwhile.
  package static func export(_ folder: FolderReader, in parent: String) throws(StorageError) -> [UInt8] {
    let replay = try folder.atOneMoment { () throws(StorageError) in try Replay(reading: folder) }
    guard let replay else { throw StorageError(.missing, "nothing was written there yet") }
    let scratch = try ScratchFolder(in: parent)
    do {
      try StateFolder(scratch.path, epoch: folder.epoch).write(replay.snapshot())
    }
    return try scratch.content()
  }

  /// Puts the state of such a file into a folder that has none.
  ///
  /// - Parameter file: The name of the file, for people.
  /// - Returns: The names of the graphs.
  package static func `import`(_ content: [UInt8], of file: String, into path: String) throws(StorageError) -> [String]
  {
    let place = try ReplacedFolder(path)
    if place.hasDatabase {
      throw StorageError(.failed, "\(path) holds a state already; move it away, or name another folder")
    }
    let source = try ScratchFolder(in: path)
    try source.put(content)
    let (reader, replay) = try read(source, of: file)
    let scratch = try ScratchFolder(in: path)
    do {
      try StateFolder(scratch.path, epoch: reader.epoch).write(replay.snapshot())
    }
    try place.replace(by: scratch)
    return replay.configuration.graphs.filter { $0.durability != nil }.map(\.name)
  }

  private static func read(_ source: ScratchFolder, of file: String) throws(StorageError) -> (FolderReader, Replay) {
    do throws(StorageError) {
      let reader = try FolderReader(source.path)
      try reader.checkPages()
      if let replay = try Replay(reading: reader) { return (reader, replay) }
    } catch {
      guard error.kind == .damaged else {
        throw StorageError(
          error.kind,
          error.description.split(separator: source.database, omittingEmptySubsequences: false)
            .joined(separator: file))
      }
    }
    throw StorageError(
      .damaged, "\(file) is not as `signalbox state export` has printed it, or was not printed by that: export it again"
    )
  }
}
