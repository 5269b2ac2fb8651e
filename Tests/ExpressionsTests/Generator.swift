import TestSupport

/// A generator of random expressions and values, reproducible by seed.
///
/// For older releases it is restricted to the common behaviour: the output of `try` and `?` is not used where it could
/// fail again, an update is never empty, indices are integers, and positions in strings are counted in ASCII. It skips
/// the family of changes in 1.7 and 1.8, and `changed`.
struct Generator {
  private var random: SplitMix
  private let families: [Family]
  private let isForOlderReleases: Bool

  init(seed: UInt64, for reference: Reference) {
    random = SplitMix(seed: seed)
    isForOlderReleases = reference == .program
    families = isForOlderReleases ? Family.common : Family.common + Array(repeating: .present, count: 5)
  }

  /// Parts of expressions that have another meaning in older releases, or fail there.
  private static let changed = [
    // Input that is not a string; null; `as` after a sign.
    "ltrimstr", "rtrimstr", "bsearch", "-3 as",
    // Broken-down times that are too short.
    "[mktime", "(mktime", "(strftime", "(todate", "(gmtime | todate",
    // An error of null; a string times nothing; the last of nothing.
    "try error(", ". * 0", "last(",
    // An error after the answer.
    "any(1, ",
  ]

  /// True if jq's times differ: for a fraction before 1970, or a year beyond the range of its numbers.
  private static func isOutOfTime(_ pair: (expression: String, input: String)) -> Bool {
    ["gmtime", "todate", "strftime"].contains { pair.expression.contains($0) }
      && [pair.expression, pair.input].contains { $0.contains(/-[0-9]*\.[0-9]|4503599627370497.5/) }
  }

  /// True for dates with an offset or a fraction, which jq refuses or parses partly.
  private static func isDateOfOurs(_ pair: (expression: String, input: String)) -> Bool {
    ["fromdate", "strptime"].contains { pair.expression.contains($0) }
      && pair.input.contains(/:[0-9]{2}(\.[0-9]+)?([+-][0-9]{2}:|z)|:[0-9]{2}\.[0-9]+Z/)
  }

  mutating func next(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(elements.count)] }

  /// Returns an expression and its input as JSON.
  mutating func pair() -> (expression: String, input: String) {
    while true {
      let pair = anyPair()
      let isChanged = isForOlderReleases && Self.changed.contains { pair.expression.contains($0) }
      if !isChanged, !Self.isOutOfTime(pair), !Self.isDateOfOurs(pair) { return pair }
    }
  }

  private mutating func anyPair() -> (expression: String, input: String) {
    let family = pick(families)
    let expression = fill(pick(family.templates))
    if next(3) > 0 { return (expression, fill(pick(family.inputs))) }
    return ("[\(expression)] | [.[] | try (\(fill(pick(family.templates)))) catch 0]", fill(pick(family.inputs)))
  }

  /// Returns a value as JSON.
  mutating func value(_ depth: Int = 3) -> String {
    switch next(depth > 0 ? 9 : 6) {
    case 0: return "null"
    case 1: return pick(["true", "false"])
    case 2: return pick(["0", "1", "2", "3", "-1", "10", "1.5", "-2.25", "100", "10000", "0.1"])
    case 3: return pick(["\"\"", "\"a\"", "\"b\"", "\"abc\"", "\"a,b\"", "\"1\"", "\"x y\"", "\"12\"", "\"Ab\""])
    case 4: return String(next(20) - 5)
    case 5: return pick(["[]", "{}", "[1,2,3]", #"{"a":1,"b":2}"#, #"["a","b"]"#])
    case 6: return "[" + (0..<next(4)).map { _ in value(depth - 1) }.joined(separator: ",") + "]"
    case 7:
      let keys = ["a", "b", "c", "d"].prefix(next(5))
      return "{" + keys.map { "\"\($0)\":\(value(depth - 1))" }.joined(separator: ",") + "}"
    default:
      let element = value(depth - 1)
      return "[" + (0..<next(4)).map { _ in pick([element, value(0)]) }.joined(separator: ",") + "]"
    }
  }

  mutating func expression(_ depth: Int = 4) -> String {
    if depth <= 0 { return leaf() }
    let inner = depth - 1
    switch next(24) {
    case 0...4: return leaf()
    case 5: return "(\(expression(inner)) | \(expression(inner)))"
    case 6: return "(\(expression(inner)), \(expression(inner)))"
    case 7, 8:
      let operators = ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "//"]
      return "(\(expression(inner)) \(pick(operators)) \(expression(inner)))"
    case 9: return "[\(expression(inner))]"
    case 10: return "{a: \(argument(inner)), \(pick(["b", "\"c\"", "(\"d\")"])): \(argument(inner))}"
    case 11: return "(if \(expression(inner)) then \(expression(inner)) else \(expression(inner)) end)"
    case 12: return "[.[]? | \(expression(inner))]"
    case 13: return "(\(expression(inner)) as $x | \(pick(["$x", "[$x, .]", "($x | \(leaf()))"])))"
    case 14: return "(reduce \(stream()) as $x (first(\(leaf())); \(pick([". + $x", "[., $x]", "$x", ". - $x"]))))"
    case 15: return "[foreach \(stream()) as $x (0; \(pick([". + 1", "$x", "[$x, .] | length"])); [., $x])]"
    case 16: return "(\(pick(["map", "sort_by", "group_by", "unique_by", "min_by", "max_by"]))(\(expression(inner))))"
    case 17: return "[limit(\(next(3) + 1); \(expression(inner)))]"
    case 18: return "(\(path()) |= first(\(expression(0)), 7))"
    case 19: return "(\(path()) \(pick(["=", "+=", "-=", "*=", "//="])) \(expression(0)))"
    case 20: return "[path(\(path()))]"
    case 21: return "del(\(path()))"
    case 22: return "\"x\\(\(expression(inner)))y\""
    default: return call(inner)
    }
  }

  /// Returns a valid value of an object's key, in jq 1.6 too.
  private mutating func argument(_ depth: Int) -> String { "(\(expression(depth)))" }

  private mutating func stream() -> String { pick([".[]?", "range(4)", "(1, 2)", "..", ".a, .b?"].map { "(\($0))" }) }

  mutating func path() -> String {
    pick([
      ".a", ".a?", ".[0]", ".[1]?", ".[]", ".[]?", ".a.b", ".[1:]", ".[:1]", ".a[0]", "(.a, .b)", "..", ".[\"b\"]",
      "(.[]? | select(. != null))", "first(.[]?)", "(if .a? then .b else .a end)", "(.a // .b)", "getpath([\"a\", 0])",
      ".[-1]", ".[1:][0]", "(.. | numbers)", "recurse(.a?; . != null)",
    ])
  }

  mutating func leaf() -> String {
    pick([
      ".", ".a", ".b?", ".[0]", ".[1]?", ".[-1]?", ".[]", ".[]?", "..", "1", "2", "-3", "0.5", "\"a\"", "\"b,c\"",
      "null", "true", "false", "[]", "{}", "[1, 2]", "{a: 1}", ".[1:]", ".[:2]?", "empty", "length", "[keys?]", "type",
    ])
  }

  private mutating func call(_ depth: Int) -> String {
    let plain = [
      "length", "add", "min", "max", "floor", "sqrt", "tostring", "tojson", "tonumber", "keys", "values", "type",
      "sort",
      "unique", "flatten", "to_entries", "from_entries", "any", "all", "not", "ascii_downcase", "ascii_upcase",
      "explode", "first", "last", "paths", "[paths(scalars)]", "tostream", "numbers", "strings", "arrays",
      "objects", "scalars", "iterables", "nulls", "booleans", "utf8bytelength", "fabs", "round", "ceil", "exp2",
      "isnan",
      "@json", "@csv", "@html", "@sh", "@base64", "@text", "@tsv", "recurse", "keys_unsorted", "([paths])",
      "map_values(.)",
    ]
    switch next(6) {
    case 0...2: return "(\(expression(depth)) | \(pick(plain)))"
    case 3:
      let names = [
        "has", "contains", "inside", "split", "join", "startswith", "endswith", "ltrimstr", "rtrimstr", "index",
        "rindex", "indices", "flatten", "range", "select", "any", "all", "with_entries", "in",
        "IN", "INDEX", "first", "last",
      ]
      return "(\(pick(names))(\(expression(depth - 1))))"
    case 4: return "[try \(postfix(depth - 1)) catch \"caught\"]"
    default: return "[first(\(expression(depth - 1)))]"
    }
  }

  private mutating func postfix(_ depth: Int) -> String { "(\(expression(depth)))" }
}
