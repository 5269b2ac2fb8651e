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
  /// - Returns: The names of the graphs.
  package static func `import`(_ content: [UInt8], into path: String) throws(StorageError) -> [String] {
    let place = try ReplacedFolder(path)
    if place.hasDatabase {
      throw StorageError(.failed, "\(path) holds a state already; move it away, or name another folder")
    }
    let source = try ScratchFolder(in: path)
    try source.put(content)
    let reader = try FolderReader(source.path)
    try reader.checkPages()
    guard let replay = try Replay(reading: reader) else { throw StorageError(.missing, "there is no state in it") }
    let scratch = try ScratchFolder(in: path)
    do {
      try StateFolder(scratch.path, epoch: reader.epoch).write(replay.snapshot())
    }
    try place.replace(by: scratch)
    return replay.configuration.graphs.filter { $0.durability != nil }.map(\.name)
  }
}
