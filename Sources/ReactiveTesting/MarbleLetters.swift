import Signals

/// The assignment of letters to values: a letter of the expected diagram, else an unused one.
struct MarbleLetters<Value: Equatable> {
  private var known: [(letter: Character, value: Value)] = []
  private var unused: [Character]

  /// The values that had no letter, as `letter = value`.
  private(set) var legend: [String] = []

  init(_ diagram: MarbleDiagram, _ value: (Character) -> Value) {
    for case .value(let letter) in diagram.columns.joined() where !known.contains(where: { $0.letter == letter }) {
      known.append((letter, value(letter)))
    }
    let taken = known.map(\.letter)
    unused = "ZYXWVUTSRQPONMLKJIHGFEDCBA".filter { !taken.contains($0) }
  }

  mutating func mark(for event: Event<Value, MarbleFailure>) -> MarbleDiagram.Mark {
    switch event {
    case .value(let value): .value(letter(for: value))
    case .failed: .failed
    case .completed: .completed
    case .interrupted: .interrupted
    }
  }

  private mutating func letter(for value: Value) -> Character {
    if let found = known.first(where: { $0.value == value }) { return found.letter }
    // A letter that is its own value stays itself, whether the diagram contains it or not.
    let letter =
      (value as? Character).flatMap { own in known.contains { $0.letter == own } ? nil : own } ?? unused.popLast()
      ?? "?"
    unused.removeAll { $0 == letter }
    known.append((letter, value))
    if !(value is Character) { legend.append("\(letter) = \(value)") }
    return letter
  }
}
