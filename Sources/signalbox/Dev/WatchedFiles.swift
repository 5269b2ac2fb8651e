internal import Linux
internal import Persistence

/// The files and folders of a configuration, watched for changes.
final class WatchedFiles {
  private let watcher: FileWatcher
  private let onChange: (FileChange, _ isOfFolder: Bool) -> Void
  private var watches: [String: FileWatch] = [:]

  /// - Parameter onChange: Called for a changed file, or for a folder whose names may have changed.
  init(_ watcher: FileWatcher, onChange: @escaping (FileChange, _ isOfFolder: Bool) -> Void) {
    self.watcher = watcher
    self.onChange = onChange
  }

  /// Watches what was read last.
  func watch(_ inputs: RecordedInputs) {
    let paths = inputs.paths
    // Whatever follows "/" stands for any name.
    let wanted = Set(paths.files.map(CurrentProcess.absolutePath)).union(
      paths.folders.map { "\(CurrentProcess.absolutePath($0))/*" })
    for (path, watch) in watches where !wanted.contains(path) {
      watch.cancel()
      watches[path] = nil
    }
    for path in wanted where watches[path] == nil {
      let isFolder = path.hasSuffix("/*")
      watches[path] = watcher.watch(path, isPattern: isFolder) { [unowned self] change, _ in onChange(change, isFolder)
      }
    }
  }

  /// The reason for possibly missing changes; `nil` if all are noticed.
  var fault: String? { watches.values.lazy.compactMap(\.fault).first.map { "\($0)" } }
}
