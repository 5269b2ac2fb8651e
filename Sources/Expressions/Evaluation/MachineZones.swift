internal import Base
internal import Glibc
internal import Synchronization

/// The time zones of this machine, for names that are computed, and for expressions outside of configurations: each is
/// read when it is first named.
final class MachineZones: TimeZoneSource, Sendable {
  static let shared = MachineZones()

  /// The most names that are known, those without a zone included; there are some 600 zones.
  private static let capacity = 1024

  private let known = Mutex<[String: TimeZone?]>([:])

  func zone(named name: String) -> TimeZone? {
    if let zone = known.withLock({ $0[name] }) { return zone }
    // Texts of any length would fill the memory otherwise.
    guard isPossible(name: name) else { return nil }
    let zone = readZone(named: name)
    known.withLock { known in
      if known.count >= Self.capacity { known.removeAll(keepingCapacity: true) }
      known.updateValue(zone, forKey: name)
    }
    return zone
  }

  var localZone: TimeZone { readLocalZone(getenv("TZ").map { String(cString: $0) }) }

  /// Reads a file through the C library, since this layer does not depend on the daemon's descriptors.
  func file(at path: String, upTo limit: Int) -> [UInt8]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = fread(&bytes, 1, limit, file)
    return ferror(file) == 0 && count < limit ? Array(bytes[..<count]) : nil
  }
}
