/// The position of a stream: for each of its subscriptions, the position in each signal.
///
/// Its text is the `id` of an event, which a browser returns as `Last-Event-ID`: the epochs, then for each subscription
/// its signals with their numbers.
///
///     2b7c1f0e9d3a4856;climate.raw=17,climate.smooth=16
///     2b7c1f0e9d3a4856,90af3c1b5d7e2f64;shop.orders=4~1!;climate.raw=17
///
/// `~1` is the index of the number's epoch in the list, if it is not the first; `!` marks a delivered end.
struct EventPosition: Equatable {
  /// The signals of one subscription, in order of their first event.
  struct Section: Equatable {
    private(set) var names: [String] = []
    private(set) var places: [EventPlace] = []
    private var indices: [String: Int] = [:]

    /// The index of a signal.
    func index(of name: String) -> Int? { indices[name] }

    subscript(index: Int) -> EventPlace {
      get { places[index] }
      set { places[index] = newValue }
    }

    subscript(name: String) -> EventPlace? { indices[name].map { places[$0] } }

    mutating func set(_ name: String, _ place: EventPlace) {
      if let index = indices[name] { return places[index] = place }
      indices[name] = names.count
      names.append(name)
      places.append(place)
    }

    /// Removes the signals that do not satisfy the predicate.
    mutating func keep(_ isKept: (String) -> Bool) {
      let all = zip(names, places).filter { isKept($0.0) }
      self = Section()
      for (name, place) in all { set(name, place) }
    }
  }

  var sections: [Section]

  init(sections count: Int) { sections = Array(repeating: Section(), count: count) }

  /// The longest text in bytes: browsers and proxies do not return a longer one.
  static let longestText = 4096

  /// Appends the text; `false` if it would be too long.
  func append(to bytes: inout [UInt8]) -> Bool {
    let start = bytes.count
    let epochs = epochs
    for (index, epoch) in epochs.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += epoch.utf8
    }
    for section in sections {
      bytes.append(UInt8(ascii: ";"))
      for index in section.names.indices {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(section.names[index], section.places[index], epochs, to: &bytes)
        if bytes.count - start > Self.longestText { return false }
      }
    }
    return true
  }

  private func append(_ name: String, _ place: EventPlace, _ epochs: [String], to bytes: inout [UInt8]) {
    bytes += name.utf8
    bytes.append(UInt8(ascii: "="))
    bytes += String(place.seq).utf8
    if epochs.count > 1, let epoch = epochs.firstIndex(of: place.epoch), epoch > 0 { bytes += "~\(epoch)".utf8 }
    if place.isEnded { bytes.append(UInt8(ascii: "!")) }
  }

  private var epochs: [String] {
    var epochs: [String] = []
    for section in sections {
      for place in section.places where !epochs.contains(place.epoch) { epochs.append(place.epoch) }
    }
    return epochs
  }

  var text: String? {
    var bytes: [UInt8] = []
    return append(to: &bytes) ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// - Returns: `nil` for an invalid text, or one for another number of subscriptions.
  init?(_ text: String, sections count: Int) {
    guard text.utf8.count <= Self.longestText else { return nil }
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    guard parts.count == count + 1 else { return nil }
    let epochs = parts[0].split(separator: ",").map(String.init)
    self.init(sections: count)
    for (index, part) in parts.dropFirst().enumerated() {
      for entry in part.split(separator: ",") {
        guard let (name, place) = Self.entry(entry, epochs), sections[index][name] == nil else { return nil }
        sections[index].set(name, place)
      }
    }
  }

  private static func entry(_ text: Substring, _ epochs: [String]) -> (String, EventPlace)? {
    guard let equals = text.lastIndex(of: "=") else { return nil }
    let name = String(text[..<equals])
    var rest = text[text.index(after: equals)...]
    let isEnded = rest.last == "!"
    if isEnded { rest.removeLast() }
    let numbers = rest.split(separator: "~", omittingEmptySubsequences: false)
    guard !name.isEmpty, 1...2 ~= numbers.count, let seq = number(numbers[0])
    else { return nil }
    let place = numbers.count == 1 ? 0 : number(numbers[1]).flatMap { Int(exactly: $0) } ?? -1
    guard epochs.indices.contains(place) else { return nil }
    return (name, EventPlace(seq: seq, epoch: epochs[place], isEnded: isEnded))
  }

  private static func number(_ digits: Substring) -> UInt64? {
    digits.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? UInt64(digits) : nil
  }
}
