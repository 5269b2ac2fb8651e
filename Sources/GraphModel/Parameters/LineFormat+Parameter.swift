import JSON

extension LineFormat: ParameterValue {
  package static var typeName: String { "\(words.joined(separator: ", ")), {csv: …} or {regex: …}" }
  package static var shape: ParameterShape { .lineFormat }
  package var defaultText: String? {
    switch self {
    case .text: "text"
    case .json: "json"
    case .logfmt: "logfmt"
    case .csv: "csv"
    case .pattern: nil
    }
  }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> LineFormat? {
    let reader = reading.reader(node)
    guard node.entries != nil else { return word(reader) }
    guard let mapping = reader.mapping(of: ["csv", "regex", "unmatched"]) else { return nil }
    let (csv, regex, unmatched) = (mapping.optional("csv"), mapping.optional("regex"), mapping.optional("unmatched"))
    if csv != nil, regex == nil, let entry = mapping.entry("unmatched") {
      reader.problems.error("unmatched applies to lines that do not match a regex; csv has none", at: entry.key)
    }
    switch (csv, regex) {
    case (let csv?, nil): return form(csv).map(LineFormat.csv)
    case (nil, let regex?): return pattern(regex, unmatched)
    case (nil, nil) where mapping.node.entries?.contains(where: { $0.name != "unmatched" }) == true:
      // The unknown key has been reported.
      return nil
    case (.some, .some), (nil, nil):
      reader.problems.error("expected either {csv: …} or {regex: '(?<name>…)'}", at: node)
      return nil
    }
  }

  private static func word(_ reader: Reader) -> LineFormat? {
    switch reader.choice(of: words) {
    case "text": .text
    case "json": .json
    case "logfmt": .logfmt
    case "csv": .csv(CSVForm())
    default: nil
    }
  }

  /// Reads a list of columns, or a mapping with further settings.
  private static func form(_ reader: Reader) -> CSVForm? {
    if reader.node.elements != nil { return columns(reader).map { CSVForm(columns: $0) } }
    guard let mapping = reader.mapping(of: ["columns", "separator"]) else { return nil }
    var form = CSVForm()
    var isRight = true
    if let list = mapping.optional("columns") {
      form.columns = columns(list)
      isRight = form.columns != nil
    }
    if let separator = mapping.optional("separator") {
      let bytes = Array((separator.string() ?? "").utf8)
      if bytes.count == 1, bytes[0] < 0x80, !"\"\n\r".utf8.contains(bytes[0]) {
        form.separator = bytes[0]
      } else {
        isRight = false
        separator.refuse(expected: "one ASCII character, such as \";\" or \"\\t\"")
      }
    }
    return isRight ? form : nil
  }

  private static func columns(_ reader: Reader) -> [String]? {
    guard let columns = reader.textList() else { return nil }
    if !columns.isEmpty { return columns }
    reader.refuse(expected: "the names of the columns")
    return nil
  }

  private static func pattern(_ reader: Reader, _ unmatched: Reader?) -> LineFormat? {
    let treatment: LinePattern.Unmatched? = unmatched.map { $0.choice() } ?? .error
    guard let source = reader.string(), let treatment else { return nil }
    do throws(SignalFailure) {
      return .pattern(try LinePattern(source, unmatched: treatment))
    } catch {
      reader.problems.error(error.message, at: reader)
      return nil
    }
  }
}
