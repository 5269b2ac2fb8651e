import Glibc
package import Linux

/// The file descriptors that are not given to clients, so that the daemon can always reload, hand over, and open files
/// and programs.
package struct DescriptorReserve {
  /// The reserve, unless the limit is low: then it is a quarter of that.
  static let usual = 64
  /// The smallest reserve, which suffices for a reload and for a handover.
  static let least = 16
  /// The lowest limit with which the daemon starts: the reserve, what it has open itself, and some clients.
  private static let lowestLimit = 40

  /// The limit of the process: all its descriptors have lower numbers.
  let limit: Int

  init(limit: Int = CurrentProcess.descriptorLimit) { self.limit = limit }

  var size: Int { min(Self.usual, max(Self.least, limit / 4)) }

  /// Returns true if a client may have a descriptor, which has the lowest number that was free.
  func admits(_ number: Int32) -> Bool { Int(number) < limit - size }

  /// Returns the number of clients for which there is room, given the present one; `nil` if it is unknown.
  func room(beside clients: Int) -> Int? {
    guard let folder = opendir("/proc/self/fd") else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // The entries `.` and `..`, and the folder itself.
    return max(0, limit - size - (count - 3 - clients))
  }

  /// Fails if the limit of this process is too low to start with.
  package static func check() throws(StartFailure) {
    let limit = CurrentProcess.descriptorLimit
    if limit >= lowestLimit { return }
    throw StartFailure(
      "this process may open only \(limit) files: set LimitNOFILE= in the unit, or ulimit -n, to \(lowestLimit) or more",
      status: 78)
  }
}
