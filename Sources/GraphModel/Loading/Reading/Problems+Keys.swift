import Base
import JSON

extension Problems {
  /// Returns the entries of a mapping, and reports each unknown key with the known one that it is likely to be.
  ///
  /// Such a key has the known one's name in the result: the errors in its value are reported with it, and the known one
  /// does not count as missing. It does not stand for a key that is given already.
  ///
  /// - Parameters:
  ///   - known: The keys that the mapping may have.
  ///   - former: The deprecated names among them.
  ///   - given: The known keys that are given elsewhere.
  ///   - prefix: The beginning of keys that are not for this program.
  ///   - what: The word for a key in messages.
  package func entries(
    _ entries: [ConfigNode.Entry], named known: [String], formerly former: [String] = [], besides given: [String] = [],
    exceptFor prefix: String? = nil, as what: String = "key"
  ) -> [ConfigNode.Entry] {
    func isKnown(_ entry: ConfigNode.Entry) -> Bool {
      known.contains { $0.hasSameBytes(as: entry.name) } || former.contains { $0.hasSameBytes(as: entry.name) }
        || prefix.map(entry.name.hasPrefix) == true
    }
    if entries.allSatisfy(isKnown) { return entries }
    var open = known.filter { key in
      !given.contains(key) && !entries.contains { $0.name.hasSameBytes(as: key) }
    }
    return entries.map { entry in
      if isKnown(entry) { return entry }
      let meant = Suggestion.likely(for: entry.name, among: open)
      let suggestion = meant ?? Suggestion.likely(for: entry.name, among: known)
      let list = suggestion == nil && !known.isEmpty ? "; known: \(known.joined(separator: ", "))" : ""
      error(
        "unknown \(what) \"\(entry.name)\"\(list)", at: entry.key, suggestion: suggestion,
        fixIt: FixIt(correcting: entry.key, entry.name, among: open))
      guard let meant else { return entry }
      open.removeAll { $0 == meant }
      return entry.named(meant)
    }
  }
}

extension ConfigNode.Entry {
  /// Returns the entry with another name at the same place.
  package func named(_ name: String) -> ConfigNode.Entry {
    let key = ConfigNode(place: key.place, length: key.length, content: .scalar(Scalar(name, style: .plain)))
    return ConfigNode.Entry(key: key, value: value)
  }
}

extension ConfigNode {
  /// Returns a mapping with other entries at the same place.
  package func with(_ entries: [Entry]) -> ConfigNode {
    ConfigNode(place: place, length: length, content: .mapping(entries))
  }
}
