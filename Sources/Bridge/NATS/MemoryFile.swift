internal import CNATS
internal import Linux

/// A file in memory, for libraries that read secrets from files alone.
final class MemoryFile: Sendable {
  private let file: OwnedDescriptor

  init(_ content: String) throws(Errno) {
    let number = cnats_memory_file()
    if number == -1 { throw .last("memfd_create") }
    file = OwnedDescriptor(owning: number)
    try Transfer(number).writeAll(content)
  }

  /// The path under which this process can open it.
  var path: String { "/proc/self/fd/\(file.number)" }
}
