/// An error in a diagram's text.
public struct MarbleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place in the text, in characters from 0.
  public let offset: Int

  /// The message about that place.
  public let description: String
}

/// Reads a diagram from left to right.
struct MarbleParser {
  private let characters: [Character]
  private var offset = 0

  init(_ text: String) { characters = Array(text) }

  mutating func parse() throws(MarbleError) -> [[MarbleDiagram.Mark]] {
    var columns: [[MarbleDiagram.Mark]] = []
    var hasEnded = false
    while let character = next() {
      if hasEnded, character != "-" { throw error("nothing can follow the ending") }
      let column = character == "-" ? [] : character == "(" ? try group() : [try mark(character)]
      columns.append(column)
      hasEnded = hasEnded || column.last?.isEnding ?? false
    }
    return columns
  }

  private mutating func group() throws(MarbleError) -> [MarbleDiagram.Mark] {
    let start = offset - 1
    var marks: [MarbleDiagram.Mark] = []
    while let character = next() {
      if character == ")" {
        if marks.isEmpty { throw error("a column in parentheses has an event at least", at: start) }
        return marks
      }
      if marks.last?.isEnding ?? false { throw error("nothing can follow the ending") }
      marks.append(try mark(character))
    }
    throw error("this parenthesis is not closed", at: start)
  }

  private func mark(_ character: Character) throws(MarbleError) -> MarbleDiagram.Mark {
    switch character {
    case "|": .completed
    case "#": .failed
    case "!": .interrupted
    case _ where character.isLetter || character.isNumber: .value(character)
    default: throw error("'\(character)' is no mark: one of - ( ) | # ! or a letter or digit")
    }
  }

  /// Returns the next character that is not a blank.
  private mutating func next() -> Character? {
    while offset < characters.count {
      defer { offset += 1 }
      if !characters[offset].isWhitespace { return characters[offset] }
    }
    return nil
  }

  private func error(_ text: String, at place: Int? = nil) -> MarbleError {
    MarbleError(offset: place ?? offset - 1, description: text)
  }
}
