import GraphModel
package import StateLog

/// The transfer of all durable graphs of a folder to another one: their current state without history.
package enum StateTransfer {
  /// Returns the content of an export file.
  ///
  /// - Parameter parent: A folder for temporary files.
  package static func export(_ folder: FolderReader, in parent: String) throws(StorageError) -> [UInt8] {
    let replay = try folder.atOneMoment { () throws(StorageError) in try Replay(reading: folder) }
    guard let replay else { throw StorageError(.missing, "the state folder is empty") }
    let scratch = try ScratchFolder(in: parent)
    do {
      try StateFolder(scratch.path, epoch: folder.epoch).write(replay.snapshot())
    }
    return try scratch.content()
  }

  /// Imports an export file into a folder without a state, in a new epoch.
  ///
  /// - Parameter file: The name of the file, for messages.
  /// - Returns: The names of the graphs.
  package static func `import`(_ content: [UInt8], of file: String, into path: String) throws(StorageError) -> [String]
  {
    let place = try ReplacedFolder(path)
    if place.hasDatabase {
      throw StorageError(.failed, "\(path) already holds a state: move it away, or give another folder")
    }
    let source = try ScratchFolder(in: path)
    try source.put(content)
    let replay = try read(source, of: file)
    let scratch = try ScratchFolder(in: path)
    do {
      // The source folder may have assigned the following numbers to other values.
      try StateFolder(scratch.path).write(replay.snapshot())
    }
    try place.replace(by: scratch)
    return replay.configuration.graphs.filter { $0.durability != nil }.map(\.name)
  }

  private static func read(_ source: ScratchFolder, of file: String) throws(StorageError) -> Replay {
    do throws(StorageError) {
      let reader = try FolderReader(source.path, isAlone: true)
      try reader.checkPages()
      if let replay = try Replay(reading: reader) { return replay }
    } catch {
      guard error.kind == .damaged else {
        throw StorageError(
          error.kind,
          error.description.split(separator: source.database, omittingEmptySubsequences: false)
            .joined(separator: file))
      }
    }
    throw StorageError(
      .damaged, "\(file) is not an intact export of `signalbox state export`: export it again"
    )
  }
}
