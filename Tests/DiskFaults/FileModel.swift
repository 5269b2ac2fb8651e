/// One file of a modelled disk.
struct FileModel {
  /// The unit that a disk writes whole or not at all.
  private static let sector = 512

  /// The contents that a process reads, if the file exists.
  private(set) var seen: [UInt8]?
  /// The contents that are certainly durable.
  private var durable: [UInt8]?
  /// The operations since then.
  private var pending: [DiskTrace.Operation.Kind] = []

  /// Creates a durable file, or an absent one.
  init(_ content: [UInt8]? = nil) {
    seen = content
    durable = content
  }

  mutating func apply(_ operation: DiskTrace.Operation) {
    if case .sync = operation.kind {
      guard operation.succeeded else { return }
      durable = seen
      pending = []
      return
    }
    // Half of the failed write was executed.
    var isSeen = operation.succeeded
    if case .write(let bytes, _) = operation.kind, !bytes.isEmpty { isSeen = true }
    if !isSeen { return }
    Self.apply(operation.kind, to: &seen)
    pending.append(operation.kind)
  }

  func afterPowerCut(_ random: inout some RandomNumberGenerator) -> [UInt8]? {
    var content = durable
    // Sometimes everything was too late to be durable, and sometimes nothing.
    let share = [0, 50, 90, 100].randomElement(using: &random) ?? 0
    for kind in pending {
      if case .write(let bytes, let place) = kind {
        for start in stride(from: 0, to: bytes.count, by: Self.sector) where Self.keeps(share, &random) {
          let sector = Array(bytes[start..<min(start + Self.sector, bytes.count)])
          Self.apply(.write(sector, at: place + start), to: &content)
        }
      } else if Self.keeps(share, &random) {
        Self.apply(kind, to: &content)
      }
    }
    return content
  }

  private static func keeps(_ share: Int, _ random: inout some RandomNumberGenerator) -> Bool {
    Int.random(in: 0..<100, using: &random) < share
  }

  /// Executes an operation; a write into a file whose name was lost is lost with it.
  private static func apply(_ kind: DiskTrace.Operation.Kind, to content: inout [UInt8]?) {
    switch kind {
    case .create: content = content ?? []
    case .delete: content = nil
    case .sync: break
    case .truncate(let length):
      guard let count = content?.count else { return }
      content?.removeLast(max(0, count - length))
      content?.append(contentsOf: [UInt8](repeating: 0, count: max(0, length - count)))
    case .write(let bytes, let place):
      guard let count = content?.count else { return }
      // The gap is zeros.
      content?.append(contentsOf: [UInt8](repeating: 0, count: max(0, place + bytes.count - count)))
      content?.replaceSubrange(place..<place + bytes.count, with: bytes)
    }
  }
}
