import Glibc

/// The files that may have been at a path before.
struct RotatedFiles {
  private let path: String
  /// All entries in the folder of the path, and in the one that links at the path lead to.
  let paths: [String]

  init(of path: String) {
    self.path = path
    paths = Self.folders(of: path).flatMap { folder in
      ((try? FolderListing.names(in: folder)) ?? []).map { "\(folder)/\($0)" }
    }
  }

  private static func folders(of path: String) -> [String] {
    let folder = Self.folder(of: path)
    guard let real = realpath(path, nil) else { return [folder] }
    defer { free(real) }
    let target = Self.folder(of: String(cString: real))
    guard let own = realpath(folder, nil) else { return [folder, target] }
    defer { free(own) }
    return target == String(cString: own) ? [folder] : [folder, target]
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Returns the files rotated away from the path after a given one, in the order of writing.
  func successors(of file: TailedFile) -> [String] {
    guard let beginning = file.lastWritten else { return [] }
    var found: [(path: String, time: timespec)] = []
    for path in paths where isRotation(path) {
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, beginning < status.st_mtim else { continue }
      if FileIdentity(status) != file.identity { found.append((path, status.st_mtim)) }
    }
    return found.sorted { $0.time < $1.time }.map(\.path)
  }

  /// Recognizes names with a number or date appended, in the style of `logrotate`; excludes compressed files.
  private func isRotation(_ other: String) -> Bool {
    guard other.hasPrefix(path) else { return false }
    let rest = other.utf8.dropFirst(path.utf8.count)
    guard let first = rest.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "-") else { return false }
    return rest.count > 1
      && rest.allSatisfy { $0 >= UInt8(ascii: "-") && $0 <= UInt8(ascii: "9") && $0 != UInt8(ascii: "/") }
  }
}

extension timespec {
  static func < (left: timespec, right: timespec) -> Bool {
    (left.tv_sec, left.tv_nsec) < (right.tv_sec, right.tv_nsec)
  }
}
