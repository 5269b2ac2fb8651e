internal import JSON

extension Builtin {
  static let strings: [Builtin] = [
    Builtin(
      "startswith", ["s"], "True if a string starts with another.", Example("startswith(\"a\")", "\"ab\"", "true"),
      .value1 { input, part, environment throws(ExpressionError) in
        let (text, part) = try pair(input, part, "startswith", environment)
        return .bool(text.utf8.starts(with: part.utf8))
      }),
    Builtin(
      "endswith", ["s"], "True if a string ends with another.", Example("endswith(\"b\")", "\"ab\"", "true"),
      .value1 { input, part, environment throws(ExpressionError) in
        let (text, part) = try pair(input, part, "endswith", environment)
        return .bool(ends(text, with: part))
      }),
    Builtin(
      "ltrimstr", ["s"], "The string without another at its start.", Example("ltrimstr(\"a\")", "\"ab\"", "\"b\""),
      .value1 { input, part, environment throws(ExpressionError) in
        let (text, part) = try pair(input, part, "startswith", environment)
        guard text.utf8.starts(with: part.utf8) else { return input }
        try environment.charge(characters: text.utf8.count)
        return .string(String(Substring(text.utf8.dropFirst(part.utf8.count))))
      }),
    Builtin(
      "rtrimstr", ["s"], "The string without another at its end.", Example("rtrimstr(\"b\")", "\"ab\"", "\"a\""),
      .value1 { input, part, environment throws(ExpressionError) in
        let (text, part) = try pair(input, part, "endswith", environment)
        guard ends(text, with: part) else { return input }
        try environment.charge(characters: text.utf8.count)
        return .string(String(Substring(text.utf8.dropLast(part.utf8.count))))
      }),
    Builtin(
      "trimstr", ["$s"], "The string without another at its start and its end.",
      Example("trimstr(\"a\")", "\"abca\"", "\"bc\""), .definition("ltrimstr($s) | rtrimstr($s)")),
    trimming("trim", atStart: true, atEnd: true),
    trimming("ltrim", atStart: true, atEnd: false),
    trimming("rtrim", atStart: false, atEnd: true),
    changingCase(
      "ascii_downcase", of: UInt8(ascii: "A")...UInt8(ascii: "Z"), Example("ascii_downcase", "\"AÄ\"", "\"aÄ\"")),
    changingCase(
      "ascii_upcase", of: UInt8(ascii: "a")...UInt8(ascii: "z"), Example("ascii_upcase", "\"aä\"", "\"Aä\"")),
    Builtin(
      "split", ["s"], "The parts of a string between separators.", Example("split(\",\")", "\"a,b\"", #"["a","b"]"#),
      .value1 { input, separator, environment throws(ExpressionError) in
        guard let text = input.asString, let separator = separator.asString else {
          throw .badValue("split input and separator must be strings")
        }
        return try Splitting.split(text, at: separator, environment)
      }),
    Builtin(
      "join", ["s"], "The elements as one string, a separator between them.",
      Example("join(\"-\")", #"["a",1,null]"#, "\"a-1-\""),
      .value1 { input, separator, environment throws(ExpressionError) in try join(input, separator, environment) }),
    Builtin(
      "explode", [], "The code points of a string.", Example("explode", "\"ab\"", "[97,98]"),
      .value { input, environment throws(ExpressionError) in
        guard let text = input.asString else { throw .badValue("explode input must be a string") }
        try environment.charge(values: 2 * text.utf8.count)
        return .array(text.unicodeScalars.map { .number(Double($0.value)) })
      }),
    Builtin(
      "implode", [], "The string of an array of code points.", Example("implode", "[97,98]", "\"ab\""),
      .value { input, environment throws(ExpressionError) in try implode(input, environment) }),
  ]

  private static func pair(
    _ input: JSONValue, _ part: JSONValue, _ name: String, _ environment: Environment
  ) throws(ExpressionError) -> (String, String) {
    guard let text = input.asString, let part = part.asString else {
      throw .badValue("\(name)() requires string inputs")
    }
    try environment.charge(characters: min(text.utf8.count, part.utf8.count))
    return (text, part)
  }

  private static func ends(_ text: String, with part: String) -> Bool {
    text.utf8.reversed().starts(with: part.utf8.reversed())
  }

  private static func trimming(_ name: String, atStart: Bool, atEnd: Bool) -> Builtin {
    let result = (atStart ? "" : " ") + "a" + (atEnd ? "" : " ")
    return Builtin(
      name, [], "The string without the blanks around it, or on one side.",
      Example(name, "\" a \"", "\"\(result)\""),
      .value { input, environment throws(ExpressionError) in
        guard let text = input.asString else { throw .badValue("trim input must be a string") }
        try environment.charge(characters: 2 * text.utf8.count)
        let scalars = text.unicodeScalars
        let start = atStart ? scalars.firstIndex { !isBlank($0) } ?? scalars.endIndex : scalars.startIndex
        var end = scalars.endIndex
        while atEnd, end > start, isBlank(scalars[scalars.index(before: end)]) { end = scalars.index(before: end) }
        return .string(String(scalars[start..<end]))
      })
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    // The Unicode property table is slow to query.
    if scalar.isASCII { return scalar == " " || (0x09...0x0D).contains(scalar.value) }
    return scalar.properties.isWhitespace
  }

  private static func changingCase(_ name: String, of letters: ClosedRange<UInt8>, _ example: Example) -> Builtin {
    Builtin(
      name, [], "The string with the case of its ASCII letters changed.", example,
      .value { input, environment throws(ExpressionError) in
        guard let text = input.asString else { throw .badValue("\(name) input must be a string") }
        try environment.charge(characters: text.utf8.count)
        return .string(String(decoding: text.utf8.map { letters.contains($0) ? $0 ^ 0x20 : $0 }, as: UTF8.self))
      })
  }

  private static func join(
    _ input: JSONValue, _ separator: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    var result = JSONValue.null
    _ = try Iteration.each(of: input, environment) { item throws(ExpressionError) in
      if case .null = result { result = "" } else { try Addition.append(separator, to: &result, environment) }
      let text: JSONValue
      switch item.plain {
      case .bool(true), .number: text = .string(try JSONText.string(of: item, environment))
      case .bool: text = "false"
      case .null: text = ""
      default: text = item
      }
      try Addition.append(text, to: &result, environment)
      return .next
    }
    if case .null = result { return "" }
    return result
  }

  private static func implode(
    _ input: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue {
    guard case .array(let items) = input else { throw .badValue("implode input must be an array") }
    try environment.allow(bytes: items.count)
    try environment.charge(values: 4 * items.count)
    var text = String.UnicodeScalarView()
    for item in items {
      guard let number = item.asNumber, !number.isNaN else {
        throw .badValue("\(item.described) can't be imploded, unicode codepoint needs to be numeric")
      }
      text.append(UInt32(exactly: number.rounded(.towardZero)).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}")
    }
    return .string(String(text))
  }
}
