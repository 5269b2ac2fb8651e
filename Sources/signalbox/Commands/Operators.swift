internal import Base
internal import GraphTools
internal import JSON
internal import Linux

extension Command {
  static let operators = Command(
    name: "operators", operands: "[WORD…]", kinds: [.operator], summary: "show the reference of operators and sources",
    details: """
      Without a WORD, lists all operators and sources. A WORD may also be a trait of signals, or the name of an operator
      in another library: distinct, cron, "moving average". No daemon is needed.
      """,
    options: [Option(name: "json", letter: "j", doc: "print each as a line of JSON")], isOffline: true,
    examples: [
      Example("signalbox operators", "all signals"),
      Example("signalbox operators debounce", "its parameters and its marble diagram"),
      Example("signalbox operators 'rate limit'", "its name here"),
    ]
  ) { invocation throws(CommandError) in
    let names = try invocation.operands(0...Int.max)
    guard !names.isEmpty else { return list(WordExplanation.all, in: invocation) }
    var words: [WordExplanation] = []
    var traits: [KeyExplanation] = []
    for name in names {
      let found = try FoundWords(for: name)
      if let note = found.note, !invocation.isJSON { invocation.output.line(note + "\n") }
      words += found.words
      traits += found.traits
    }
    if invocation.isJSON {
      for word in words { invocation.output.line(word.json.description) }
    } else {
      let width = invocation.output.width
      let texts =
        words.map { $0.text(width: width) }
        + traits.map { "\($0.name) (a trait of signals): \($0.meaning)\n" }
      invocation.output.text(WrappedText.text(texts.joined(separator: "\n"), width: width))
    }
  }

  private static func list(_ words: [WordExplanation], in invocation: Invocation) {
    if invocation.isJSON {
      for word in words { invocation.output.line(word.json.description) }
      return
    }
    var table = Table("NAME", "KIND", "MEANING")
    for word in words { table.add(word.name, word.isOperator ? "operator" : "source", word.summary) }
    table.print(to: invocation.output)
  }
}

/// The operators, sources and traits with a name, or with its equivalent in another library.
private struct FoundWords {
  let words: [WordExplanation]
  let traits: [KeyExplanation]
  /// The note about the names here for a word of another library.
  let note: String?

  init(for name: String) throws(CommandError) {
    let exact = Self.named(name)
    if !exact.words.isEmpty {
      (words, traits, note) = (exact.words, [], nil)
      return
    }
    let names = exact.traits.isEmpty ? Synonyms.names(for: name) : []
    let found = names.map(Self.named)
    words = found.flatMap(\.words)
    traits = exact.traits + found.flatMap { $0.words.isEmpty ? $0.traits : [] }
    note = names.isEmpty ? nil : "\"\(name)\" is \(names.joined(separator: ", ")) here:"
    guard words.isEmpty, traits.isEmpty else { return }
    let hint = Suggestion.likely(for: name, among: WordExplanation.all.map(\.name)).map { "did you mean \($0)?" }
    throw CommandError(.unknown, "no operator or source \(name); \(hint ?? "signalbox operators lists them")")
  }

  private static func named(_ name: String) -> (words: [WordExplanation], traits: [KeyExplanation]) {
    (WordExplanation.all.filter { $0.name == name }, KeyExplanation.traits.filter { $0.name == name })
  }
}
