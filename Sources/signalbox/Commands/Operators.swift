internal import JSON
internal import SignalGraph
internal import Spelling

extension Command {
  static let operators = Command(
    name: "operators", operands: "[NAME…]", kinds: [.operator], summary: "explain what signals can be made of",
    details: """
      Without a NAME, lists every operator and source. No daemon is needed.
      """,
    options: [Option(name: "json", letter: "j", doc: "print each as a line of JSON")], isOffline: true,
    examples: [
      Example("signalbox operators", "all of them"),
      Example("signalbox operators debounce", "its parameters, and what it does as a marble diagram"),
    ]
  ) { invocation throws(CommandError) in
    let names = try invocation.operands(0...Int.max)
    var words: [WordExplanation] = names.isEmpty ? WordExplanation.all : []
    for name in names { words += try Self.words(named: name) }
    if invocation.isJSON {
      for word in words { invocation.output.line(word.json.description) }
    } else if names.isEmpty {
      var table = Table("NAME", "KIND", "MEANING")
      for word in words { table.add(word.name, word.isOperator ? "operator" : "source", word.summary) }
      table.print(to: invocation.output)
    } else {
      invocation.output.text(words.map(\.text).joined(separator: "\n"))
    }
  }

  private static func words(named name: String) throws(CommandError) -> [WordExplanation] {
    let words = WordExplanation.all.filter { $0.name == name }
    if !words.isEmpty { return words }
    let hint = Suggestion.likely(for: name, among: WordExplanation.all.map(\.name)).map { "did you mean \($0)?" }
    throw CommandError(.unknown, "no operator or source \(name); \(hint ?? "signalbox operators lists them")")
  }
}
