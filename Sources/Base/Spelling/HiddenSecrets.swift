extension String {
  /// Returns the text with `…` in place of secrets.
  ///
  /// A secret of fewer than four bytes may stand in any text by chance, so that it is hidden as a word of its own alone.
  package func hiding(_ secrets: [String]) -> String {
    // The longest first: one may be a part of another.
    let secrets = secrets.filter { !$0.isEmpty }.map { Array($0.utf8) }.sorted { $0.count > $1.count }
    if secrets.isEmpty { return self }
    let text = Array(utf8)
    var shown: [UInt8] = []
    var place = 0
    while place < text.count {
      if let secret = secrets.first(where: { text.has($0, at: place) }) {
        shown += Array("…".utf8)
        place += secret.count
      } else {
        shown.append(text[place])
        place += 1
      }
    }
    return String(decoding: shown, as: UTF8.self)
  }
}

/// The fewest bytes of a secret that is hidden within a word.
private let leastWithinWord = 4

extension [UInt8] {
  fileprivate func has(_ secret: [UInt8], at place: Int) -> Bool {
    let end = place + secret.count
    guard end <= count, self[place..<end].elementsEqual(secret) else { return false }
    return secret.count >= leastWithinWord || !continuesWord(before: place) && !continuesWord(before: end)
  }

  /// True if the bytes around a place are of one word.
  private func continuesWord(before place: Int) -> Bool {
    place > 0 && place < count && self[place - 1].isOfWord && self[place].isOfWord
  }
}

extension UInt8 {
  fileprivate var isOfWord: Bool { isASCIILetterOrDigit || self >= 0x80 }
}
