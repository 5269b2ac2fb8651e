internal import JSON
internal import Linux
internal import WireProtocol

/// The limit on the length of bodies: the daemon's limit on lines (`limits.line`), as its `hello` returns it.
///
/// A reload may change it, so it is requested again when a request arrives, at most once a second.
final class BodyLimits {
  /// The least limit, whatever the daemon's; a shorter limit is enforced by the daemon itself.
  static let least = HTTPLimits(connections: 0).bodyBytes
  /// The least capacity for all longer bodies together, in bytes; it is larger if two of the longest need more.
  private static let leastPool = 64 << 20

  private(set) var longest = least
  let pool = HTTPBodyPool(capacity: leastPool)
  private var connection: DaemonConnection?
  private var asked: MonotonicInstant?

  /// Requests the limit, unless that has just been done; it takes effect with the answer.
  func refresh(_ connect: () throws(Problem) -> DaemonConnection) {
    let now = MonotonicInstant.now()
    if connection != nil || asked.map({ now - $0 < .seconds(1) }) ?? false { return }
    asked = now
    guard let connection = try? connect() else { return }
    connection.received = { [weak self] line in self?.take(line) }
    connection.closed = { [weak self] in self?.connection = nil }
    self.connection = connection
    connection.send(HelloRequest(), id: 1)
  }

  private func take(_ line: Span<UInt8>) {
    if let line = try? ServerLine(reading: line), case .object(let limits)? = line["limits"]?.value,
      case .number(let number)? = limits["line"]?.plain, let bytes = Int(exactly: number)
    {
      longest = max(Self.least, bytes)
      pool.capacity = max(Self.leastPool, 2 * longest)
    }
    connection?.close()
    connection = nil
  }
}
