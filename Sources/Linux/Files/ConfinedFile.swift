import CSystemd
import Glibc

/// A file below a folder with an untrusted name: nothing outside the folder can be reached.
///
/// The name may contain folders, which are created if missing. Each component is opened relative to its parent without
/// following links, so that no link can be inserted meanwhile.
package struct ConfinedFile: Sendable {
  private let folder: String
  private let parts: [String]

  /// - Parameters:
  ///   - folder: The path of an existing folder; its links are followed.
  ///   - name: The relative path, such as `2026/03/a.log`.
  package init(_ name: String, below folder: String) {
    self.folder = folder
    parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }

  private var path: String { ([folder] + parts).joined(separator: "/") }

  /// Appends bytes, as `RegularFile.append` does.
  package func append(_ content: [UInt8]) throws(FileError) {
    let parent = try openParent()
    let number = retryingInterrupts { openat(parent.number, name, RegularFile.appending | O_NOFOLLOW, 0o666) }
    if number == -1 { throw failure(of: name, in: parent) }
    try RegularFile.append(content, to: OwnedDescriptor(owning: number), path)
  }

  /// Replaces the content atomically, as `RegularFile.write` does.
  package func write(_ content: [UInt8]) throws(FileError) {
    let parent = try openParent()
    if Self.isLink(name, in: parent) { throw .link(path: path) }
    try RegularFile.write(content, to: name, in: parent, shownAs: path)
  }

  private var name: String { parts.last ?? "" }

  /// Opens the parent folder.
  private func openParent() throws(FileError) -> OwnedDescriptor {
    guard !parts.contains(where: { ["", ".", ".."].contains($0) }) else {
      throw .system(Errno(EINVAL, call: "open", subject: path))
    }
    let number = retryingInterrupts { Glibc.open(folder, Self.passing) }
    if number == -1 { throw .system(.last("open", folder)) }
    var parent = OwnedDescriptor(owning: number)
    for part in parts.dropLast() { parent = try open(part, in: parent) }
    return parent
  }

  /// O_PATH, which the headers define only with _GNU_SOURCE: folders are traversed, not read.
  private static let passing = 0o10_000_000 | O_DIRECTORY | O_CLOEXEC

  /// Opens a folder in another one; creates it if missing.
  private func open(_ part: String, in parent: borrowing OwnedDescriptor) throws(FileError) -> OwnedDescriptor {
    var number = openat(parent.number, part, Self.passing | O_NOFOLLOW)
    if number == -1, errno == ENOENT {
      // Another process may create it at the same time.
      if mkdirat(parent.number, part, 0o777) == -1, errno != EEXIST { throw .system(.last("mkdir", path)) }
      number = openat(parent.number, part, Self.passing | O_NOFOLLOW)
    }
    if number == -1 { throw failure(of: part, in: parent) }
    return OwnedDescriptor(owning: number)
  }

  /// Returns the reason for the failure of the last call.
  private func failure(of part: String, in parent: borrowing OwnedDescriptor) -> FileError {
    let error = Errno.last("open", path)
    return Self.isLink(part, in: parent) ? .link(path: path) : .system(error)
  }

  private static func isLink(_ part: String, in parent: borrowing OwnedDescriptor) -> Bool {
    var status = stat()
    return fstatat(parent.number, part, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}
