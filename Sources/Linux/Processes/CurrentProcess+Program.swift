import CSystemd
import Glibc

extension CurrentProcess {
  /// The folder of this program's executable.
  package static var folder: String? {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    guard count > 0 else { return nil }
    let text = String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.lastIndex(of: "/").map { String(text[..<$0]) }
  }

  /// Returns the path of a program that is installed beside this one.
  package static func programBeside(_ name: String) -> String { folder.map { "\($0)/\(name)" } ?? name }

  /// Executes another program in this process (`execv(3)`); returns only on failure.
  package static func replace(with command: [String]) throws(Errno) {
    let words = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    execv(command[0], words)
    throw .last("exec", command[0])
  }
}
