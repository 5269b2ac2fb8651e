/// The time zones that are known by name.
package protocol TimeZoneSource {
  /// Returns a zone by name; `nil` for an unknown name.
  func zone(named name: String) -> TimeZone?

  /// Reads a file of the time zone database; `nil` for one that is longer than the limit or cannot be read.
  func file(at path: String, upTo limit: Int) -> [UInt8]?

  /// The zone of the machine.
  var localZone: TimeZone { get }
}

extension TimeZoneSource {
  /// True unless a text is too long for the name of a zone, or has characters that no name has.
  package func isPossible(name: String) -> Bool { TimeZoneFiles.path(of: name) != nil }

  /// Reads a zone by name; `nil` for an unknown name.
  package func readZone(named name: String) -> TimeZone? {
    name == "UTC" ? .utc : TimeZoneFiles.path(of: name).flatMap(readZone(at:))
  }

  /// Reads a zone's file; `nil` if there is none.
  package func readZone(at path: String) -> TimeZone? {
    file(at: path, upTo: TimeZoneFiles.limit).flatMap { TimeZone(file: $0) }
  }

  /// Reads the zone of the machine: that of the variable TZ, else of /etc/localtime, else UTC.
  package func readLocalZone(_ variable: String?) -> TimeZone {
    guard let variable else { return readZone(at: TimeZoneFiles.local) ?? .utc }
    let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    if name.hasPrefix("/") { return readZone(at: name) ?? .utc }
    return zone(named: name) ?? TimeZone(rule: name) ?? .utc
  }

  /// The names of all zones, for suggestions.
  private var zoneNames: [String] {
    let list = TimeZoneFiles.list
    return file(at: list.path, upTo: list.limit).map(TimeZoneFiles.names) ?? ["UTC"]
  }

  /// Returns the message about an unknown name, and the name that was probably meant.
  package func refusal(of name: String) -> (message: String, suggestion: String?) {
    let names = zoneNames
    let message =
      names.count > 1
      ? "no time zone \"\(name)\" on this machine"
      : "no time zone \"\(name)\": no time zones are installed (Debian package: tzdata)"
    return (message, Suggestion.likely(for: name, among: names))
  }
}

/// The files of the time zone database.
private enum TimeZoneFiles {
  /// The file of the machine's own zone.
  static let local = "/etc/localtime"
  private static let folder = "/usr/share/zoneinfo"
  /// Larger than any zone file.
  static let limit = 256 << 10
  /// Longer than any name, in bytes.
  private static let longestName = 64

  /// Returns the path of a zone's file; `nil` for a text that cannot be a name.
  static func path(of name: String) -> String? {
    guard name.utf8.count <= longestName else { return nil }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isName = parts.allSatisfy { part in
      part.first.map { $0.isASCII && $0.isLetter } ?? false && part.allSatisfy { $0.isASCII && $0 != "\0" && $0 != "." }
    }
    return isName ? "\(folder)/\(name)" : nil
  }

  /// The file that lists all zones, and its greatest length.
  static let list = (path: "\(folder)/tzdata.zi", limit: 1 << 20)

  /// Returns the names in that file.
  static func names(in list: [UInt8]) -> [String] {
    // A line `Z NAME …` declares a zone, `L ZONE NAME` an alias.
    list.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let words = line.split(separator: UInt8(ascii: " "))
      switch words.first?.first {
      case UInt8(ascii: "Z"): return words.dropFirst().first.map { String(decoding: $0, as: UTF8.self) }
      case UInt8(ascii: "L"): return words.dropFirst(2).first.map { String(decoding: $0, as: UTF8.self) }
      default: return nil
      }
    }
  }
}
