internal import JSON

/// Regular expressions, in Oniguruma's syntax.
extension Builtin {
  static let patterns: [Builtin] = [
    Builtin(
      "test", ["pattern", "flags"], "True if a pattern matches; the flags are g, i, x, s, n, p, l.",
      Example("test(\"B\"; \"i\")", "\"abc\"", "true"),
      .value2 { input, pattern, flags, environment throws(ExpressionError) in
        .bool(try RegexSearch(input, pattern, flags, environment).test())
      }),
    Builtin(
      "test", ["$pattern"], "True if a pattern, or one of [pattern, flags], matches.",
      Example("test(\"b\")", "\"abc\"", "true"),
      .value1 { input, pattern, environment throws(ExpressionError) in
        let (pattern, flags) = try parts(of: pattern)
        return .bool(try RegexSearch(input, pattern, flags, environment).test())
      }),
    Builtin(
      "match", ["pattern", "flags"], "The matches of a pattern: offset, length, string, captures.",
      Example(
        "match(\"(?<x>b)\"; \"g\")", "\"ab\"",
        #"{"offset":1,"length":1,"string":"b","captures":[{"offset":1,"length":1,"string":"b","name":"x"}]}"#),
      .node { MatchNode($0[0], $0[1]) }),
    Builtin(
      "match", ["$pattern"], "The match of a pattern, or of one of [pattern, flags].",
      Example("[match([\"b\", \"g\"]).offset]", "\"abb\"", "[1,2]"),
      .definition(
        #"if $pattern | type == "array" then match($pattern[0]; $pattern[1]) else match($pattern; null) end"#)),
    Builtin(
      "capture", ["pattern", "flags"], "An object of the named groups of each match.",
      Example("capture(\"(?<x>B)\"; \"i\")", "\"ab\"", #"{"x":"b"}"#),
      .node { CaptureNode($0[0], $0[1]) }),
    Builtin(
      "capture", ["$pattern"], "An object of the named groups of a match.",
      Example("capture(\"(?<x>b)\")", "\"ab\"", #"{"x":"b"}"#),
      .node { CaptureNode($0[0], nil) }),
    Builtin(
      "scan", ["$pattern"], "The text of each match, or its groups where there are any.",
      Example("[scan(\"b.\")]", "\"abcbd\"", #"["bc","bd"]"#), .definition("scan($pattern; null)")),
    Builtin(
      "scan", ["$pattern", "$flags"], "Like the form without flags, with flags.",
      Example("[scan(\"B\"; \"i\")]", "\"ab\"", #"["b"]"#),
      .definition(
        #"match($pattern; "g" + $flags) | if .captures | length > 0 then [.captures[].string] else .string end"#)),
    Builtin(
      "split", ["$pattern", "flags"], "The parts between the matches of a pattern.",
      Example("split(\", *\"; null)", "\"a, b,c\"", #"["a","b","c"]"#), .definition("[splits($pattern; flags)]")),
    Builtin(
      "splits", ["$pattern"], "The parts between the matches of a pattern, one by one.",
      Example("[splits(\", *\")]", "\"a, b,c\"", #"["a","b","c"]"#), .node { SplitsNode($0[0], ConstantNode(.null)) }),
    Builtin(
      "splits", ["$pattern", "flags"], "Like the form without flags, with flags.",
      Example("[splits(\"B\"; \"i\")]", "\"abc\"", #"["a","c"]"#),
      .node { SplitsNode($0[0], $0[1]) }),
    Builtin(
      "sub", ["$pattern", "replacement"], "The string with the first match replaced; groups are seen by their names.",
      Example(#"sub("(?<x>b)"; "[\(.x)]")"#, "\"abb\"", "\"a[b]b\""),
      .node { SubstituteNode($0[0], $0[1], ConstantNode(.null)) }),
    Builtin(
      "sub", ["$pattern", "replacement", "$flags"], "Like the form without flags, with flags.",
      Example(#"sub("B"; "c"; "i")"#, "\"abb\"", "\"acb\""),
      .node { SubstituteNode($0[0], $0[1], $0[2]) }),
    Builtin(
      "gsub", ["$pattern", "replacement"], "The string with all matches replaced.",
      Example("gsub(\"b\"; \"c\")", "\"abb\"", "\"acc\""), .node { SubstituteNode($0[0], $0[1], ConstantNode("g")) }),
    Builtin(
      "gsub", ["$pattern", "replacement", "$flags"], "Like the form without flags, with flags.",
      Example("gsub(\"B\"; \"c\"; \"i\")", "\"abb\"", "\"acc\""),
      .definition(#"sub($pattern; replacement; $flags + "g")"#)),
  ]

  private static func parts(of pattern: JSONValue) throws(ExpressionError) -> (JSONValue, JSONValue) {
    guard case .array(let parts) = pattern else {
      guard pattern.asString != nil else { throw .badValue("\(pattern.typeName) not a string or array") }
      return (pattern, .null)
    }
    return (parts.first ?? .null, parts.count > 1 ? parts[1] : .null)
  }
}
