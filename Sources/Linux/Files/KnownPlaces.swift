/// The positions in files that were closed after reading to their ends, so that none is read twice when it reappears
/// under another name or through a link.
struct KnownPlaces {
  /// The maximum number of positions; the oldest is dropped beyond it.
  private static let greatestCount = 64

  private var places: [FileTail.Place] = []

  /// Records the position of a file before closing it; a removed file cannot reappear.
  mutating func add(_ file: TailedFile) {
    if file.isRemoved { return }
    if places.count == Self.greatestCount { places.removeFirst() }
    places.append(file.place)
  }

  /// Positions a file at its recorded offset; returns false if it is unknown.
  mutating func resume(_ file: TailedFile) -> Bool {
    guard let index = places.lastIndex(where: { file.identity.isOf($0) }) else { return false }
    return file.resume(at: places.remove(at: index))
  }
}

extension FileIdentity {
  func isOf(_ place: FileTail.Place) -> Bool { device == place.device && inode == place.inode }
}
