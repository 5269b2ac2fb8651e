/// A value of a unit, or a line of an environment file, split into words: quotes join words, and a backslash escapes a
/// character.
struct UnitWords {
  private(set) var list: [String] = []

  init(_ text: String) {
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if character == " " || character == "\t" {
        if let word { list.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { list.append(word) }
  }
}
