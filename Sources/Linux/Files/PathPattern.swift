import Glibc

/// A pattern of paths below a folder: parts of `fnmatch(3)`, and `**` for any number of folders.
///
/// `*` and `**` match no name with a leading dot.
package struct PathPattern: Sendable {
  /// The parts of a pattern that the next component may match, as bits; the bit after the last part is a match.
  package struct Place: Equatable, Sendable {
    fileprivate let bits: UInt64
  }

  /// The maximum number of parts.
  package static let greatestCount = 32

  private let parts: [String]

  /// Parses a pattern, such as `**/*.c`; parts beyond the maximum are ignored.
  package init(_ text: String) {
    parts = Array(text.split(separator: "/").map(String.init).prefix(Self.greatestCount))
  }

  /// The place of the folder itself.
  package var start: Place { closed(1) }

  /// Returns the place of an entry of a folder.
  package func step(from place: Place, to name: String) -> Place {
    var bits: UInt64 = 0
    for (index, part) in parts.enumerated() where place.bits & 1 << UInt64(index) != 0 {
      if part == "**" {
        if !name.hasPrefix(".") { bits |= 1 << UInt64(index) }
      } else if fnmatch(part, name, FNM_PERIOD) == 0 {
        bits |= 1 << UInt64(index + 1)
      }
    }
    return closed(bits)
  }

  /// Returns true for the place of a file that matches.
  package func isMatch(_ place: Place) -> Bool { place.bits & 1 << UInt64(parts.count) != 0 }

  /// Returns true for the place of a folder with possible matches below it.
  package func isOnWay(_ place: Place) -> Bool { place.bits & (1 << UInt64(parts.count) - 1) != 0 }

  /// Adds the parts after each `**`, which matches no folder as well.
  private func closed(_ bits: UInt64) -> Place {
    var bits = bits
    for (index, part) in parts.enumerated() where part == "**" && bits & 1 << UInt64(index) != 0 {
      bits |= 1 << UInt64(index + 1)
    }
    return Place(bits: bits)
  }
}
