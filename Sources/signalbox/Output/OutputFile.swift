internal import Glibc
internal import Linux

/// The output file of a command.
enum OutputFile {
  /// Writes a text, replacing the file's content.
  static func write(_ text: String, to path: String) throws(CommandError) {
    let file = try open(path, O_TRUNC)
    do throws(Errno) {
      try file.transfer.writeAll(text)
    } catch {
      throw CommandError(.unwritable, "\(path): \(error.reason)")
    }
  }

  /// Creates a file to be written incrementally; an existing one is an error.
  static func create(_ path: String) throws(CommandError) -> OwnedDescriptor { try open(path, O_EXCL) }

  private static func open(_ path: String, _ flag: Int32) throws(CommandError) -> OwnedDescriptor {
    let number = Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flag, 0o666)
    guard number >= 0 else { throw CommandError(.unwritable, "\(path): \(String(cString: strerror(errno)))") }
    return OwnedDescriptor(owning: number)
  }
}
