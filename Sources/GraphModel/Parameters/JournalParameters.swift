// The parameters of the source `journal`.

/// The units whose entries are selected.
package struct SystemJournalUnits: ParameterValue {
  let names: [String]

  package static var typeName: String { "a unit, or a list of them" }
  package static var shape: ParameterShape { .textOrTexts }
  package var defaultText: String? { nil }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> SystemJournalUnits? {
    let readers = reading.reader(node).oneOrList()
    let names = readers.compactMap { $0.text() }
    guard names.count == readers.count else { return nil }
    guard !names.isEmpty, !names.contains("") else {
      reading.reader(node).refuse(expected: "the name of a unit, such as nginx.service")
      return nil
    }
    return SystemJournalUnits(names: names.map { hasSuffix($0) ? $0 : "\($0).service" })
  }

  /// The types of systemd's units; a name without one is that of a service.
  private static let kinds = [
    "service", "socket", "target", "device", "mount", "automount", "swap", "timer", "path", "slice", "scope",
  ]

  private static func hasSuffix(_ name: String) -> Bool { kinds.contains { name.hasSuffix(".\($0)") } }

  /// The condition of `journalctl --unit`: entries from a unit's processes, and entries about the unit from systemd and
  /// from other daemons that may log for it.
  package var condition: SystemJournalQuery.Condition {
    names.flatMap { name in
      [
        ["_SYSTEMD_UNIT=\(name)"],
        // Core dumps of the unit.
        ["MESSAGE_ID=fc2e22bc6ee647b6b90729ab34a250b1", "_UID=0", "COREDUMP_UNIT=\(name)"],
        ["_PID=1", "UNIT=\(name)"],
        ["_UID=0", "OBJECT_SYSTEMD_UNIT=\(name)"],
      ] + (name.hasSuffix(".slice") ? [["_SYSTEMD_SLICE=\(name)"]] : [])
    }
  }
}

/// The field values that entries must match.
package struct SystemJournalMatches: ParameterValue {
  /// `FIELD=value`, in the order of the file.
  let matches: [String]

  package static var typeName: String { "fields with their values" }
  package static var shape: ParameterShape { .matches }
  package var defaultText: String? { nil }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> SystemJournalMatches? {
    let reader = reading.reader(node)
    guard let entries = node.entries, !entries.isEmpty else {
      reader.refuse(expected: "fields with their values, as in {PRIORITY: [\"2\", \"3\"]}")
      return nil
    }
    var isRight = true
    var matches: [String] = []
    for entry in entries {
      if !isField(entry.name) {
        isRight = false
        reading.reader.problems.error(
          "\"\(entry.name)\" cannot be matched: a field name has capital letters, digits and _, and does not begin with __",
          at: entry.key, suggestion: isField(entry.name.uppercased()) ? entry.name.uppercased() : nil)
      }
      let readers = reading.reader(entry.value).oneOrList()
      let values = readers.compactMap { $0.text() }
      if values.isEmpty, readers.isEmpty { reading.reader(entry.value).refuse(expected: "a value, or a list of them") }
      isRight = isRight && !values.isEmpty && values.count == readers.count
      matches += values.map { "\(entry.name)=\($0)" }
    }
    return isRight ? SystemJournalMatches(matches: matches) : nil
  }

  /// Returns true if journald would accept a field of this name.
  ///
  /// Names with two leading underscores are no fields: they give an entry's position.
  private static func isField(_ name: String) -> Bool {
    let isWord = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
      default: false
      }
    }
    return isWord && !name.isEmpty && name.utf8.count <= 64 && !name.hasPrefix("__")
      && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(name.utf8.first ?? 0)
  }

  package var condition: SystemJournalQuery.Condition { [matches] }
}

/// The location of the journal.
package struct SystemJournalFolder: ParameterValue {
  /// `nil` for the journal of this machine.
  package let path: String?

  package static let system = SystemJournalFolder(path: nil)

  package static var typeName: String { FilePath.typeName }
  package static var shape: ParameterShape { .text }
  package var defaultText: String? { nil }
  package var needs: [OutsideNeed] { [path.map(OutsideNeed.reading) ?? .journal] }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> SystemJournalFolder? {
    reading.reader(node).path().map { SystemJournalFolder(path: $0) }
  }
}
