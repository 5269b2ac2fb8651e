import Glibc

/// A test's own folder, removed with its contents on deinitialisation.
package final class TemporaryFolder {
  package let path: String

  /// - Parameter inMemory: Pass `true` for a folder in memory, where available: syncs there wait for no disk.
  package init(inMemory: Bool = false) {
    let parent = inMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(parent)/signalbox-test.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("mkdtemp: \(errno)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    Self.remove(path)
  }

  private static func remove(_ path: String) {
    // Anything but a folder, links to folders included, is unlinked.
    if unlink(path) == 0 { return }
    guard let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { remove("\(path)/\(name)") }
    }
    closedir(folder)
    rmdir(path)
  }

  /// The path of a file in it.
  package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
}
