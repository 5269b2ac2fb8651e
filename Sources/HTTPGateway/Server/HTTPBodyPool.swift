/// The memory for long bodies, shared by all connections of some servers.
///
/// The memory that each connection has anyway is not part of it, so that long bodies take no space from short ones.
final class HTTPBodyPool {
  /// The total in bytes.
  var capacity: Int
  private var taken = 0

  init(capacity: Int) { self.capacity = capacity }

  func take(_ count: Int) -> Bool {
    guard count <= capacity - taken else { return false }
    taken += count
    return true
  }

  func giveBack(_ count: Int) { taken -= count }
}
