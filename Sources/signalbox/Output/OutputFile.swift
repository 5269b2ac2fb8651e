internal import Glibc
internal import Linux

/// A file that a command writes.
enum OutputFile {
  /// Writes a text, in place of the file's content.
  static func write(_ text: String, to path: String) throws(CommandError) {
    let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard number >= 0 else { throw CommandError(.unwritable, "\(path): \(String(cString: strerror(errno)))") }
    let file = OwnedDescriptor(owning: number)
    do throws(Errno) {
      try file.transfer.writeAll(text)
    } catch {
      throw CommandError(.unwritable, "\(path): \(error.reason)")
    }
  }
}
