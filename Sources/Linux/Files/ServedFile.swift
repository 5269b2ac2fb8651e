import Glibc

/// A regular file below a folder that is read by an untrusted path: nothing outside the folder can be reached.
///
/// Each component is opened relative to its parent without following links.
package struct ServedFile: Sendable {
  package enum Found: Sendable {
    case file(ServedFile)
    case folder
    /// No such file, a link, or a name that begins with a dot.
    case nothing
    case tooLong
  }

  package let content: [UInt8]
  /// A text that differs after a change of the file.
  package let version: String

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The path below the folder, such as `app/page.js`.
  ///   - folder: The path of the folder; its links are followed.
  ///   - limit: The maximum size in bytes.
  package static func read(_ path: String, below folder: String, limit: Int) throws(FileError) -> Found {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    guard parts.allSatisfy({ !$0.hasPrefix(".") && !$0.utf8.contains(0) }), parts.count <= 64 else { return .nothing }
    let number = retryingInterrupts { open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if number == -1 { throw .system(.last("open", folder)) }
    var place = OwnedDescriptor(owning: number)
    for part in parts {
      let next = retryingInterrupts {
        openat(place.number, part, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
      }
      if next == -1 {
        if [ENOENT, ENOTDIR, ELOOP, EACCES, ENAMETOOLONG, ENXIO].contains(errno) { return .nothing }
        throw .system(.last("open", path))
      }
      place = OwnedDescriptor(owning: next)
    }
    var status = stat()
    if fstat(place.number, &status) == -1 { throw .system(.last("fstat", path)) }
    if status.st_mode & S_IFMT == S_IFDIR { return .folder }
    guard status.st_mode & S_IFMT == S_IFREG else { return .nothing }
    let stamp = FileStamp(status)
    guard stamp.size <= Int64(limit) else { return .tooLong }
    var content: [UInt8] = []
    do throws(Errno) {
      while content.count <= limit, let bytes = try place.transfer.read(upTo: 65_536), !bytes.isEmpty {
        content += bytes
      }
    } catch { throw .system(error) }
    if content.count > limit { return .tooLong }
    let version = [stamp.inode, UInt64(content.count), UInt64(bitPattern: stamp.modified)]
    return .file(ServedFile(content: content, version: version.map { String($0, radix: 16) }.joined(separator: "-")))
  }
}
