/// Words and symbols of other languages, and their replacements.
enum ForeignSyntax {
  private static let negation = "'not' follows what it negates: '.a | not'"
  private static let choice = "'if … then … else … end' chooses"
  private static let naming = "'1 as $x | …' names a value"
  private static let power = "pow(2; 3) raises to a power"
  private static let pattern = "test(\"…\") matches a pattern"
  private static let comment = "a comment starts with '#'"
  private static let comparison = "'==', '<' and '>' compare"
  private static let otherwise = "'//' gives another value in the place of null"

  /// Returns advice on an unexpected symbol; some directly follow another.
  static func advice(forSymbol symbol: String, after previous: UInt8) -> String? {
    switch (Character(UnicodeScalar(previous)), symbol) {
    case (_, "&"): "'and' joins two conditions"
    case ("|", "|"): "'or' joins two conditions"
    case (_, "!"): negation
    case (_, "'"), (_, "`"): "strings take double quotes"
    case ("=", "="): "'==' compares"
    case ("<", ">"): "'!=' asks whether two values differ"
    case ("=", "<"): "'<=' asks for at most"
    case ("=", ">"): "'>=' asks for at least"
    case (_, "~"): pattern
    case (_, "^"), ("*", "*"): power
    case (".", "*"), ("[", "*"): "'.[]' gives all elements"
    case ("/", "*"), (_, "//"): comment
    case ("+", "+"), ("-", "-"): "'. + 1' is one more"
    case ("(", "/"): "a pattern is a string"
    case ("[", "?"): "'.[] | select(…)' chooses elements"
    case (_, "\\"): "a backslash stands only within strings"
    case (_, "(") where previous.isNamePart: "'.a | f' applies a function to a value"
    default: nil
    }
  }

  /// Returns advice on a symbol after a whole expression.
  static func advice(forTrailing symbol: String) -> String? {
    switch symbol {
    case ";": "';' stands between the arguments of a function; ',' gives several outputs, '|' passes each on"
    case ":": "an object stands in braces: '{a: 1}'"
    default: nil
    }
  }

  /// Returns advice on an unexpected word, given the preceding token.
  static func advice(forWord word: String, after previous: String) -> String? {
    if previous.hasSuffix("??") { return otherwise }
    if previous.hasSuffix("?") { return choice }
    return words[word.lowercased()]
  }

  private static let words = [
    "not": negation, "is": "'==' compares", "eq": comparison, "equals": comparison, "gt": comparison,
    "lt": comparison, "in": "IN(1, 2) asks whether a value is among others", "like": pattern, "matches": pattern,
  ]

  /// Returns advice on a word that is meaningful only in other languages.
  static func advice(behind word: String) -> String? { leadingWords[word] }

  private static let leadingWords = [
    "let": naming, "var": naming, "const": naming, "function": "'def f: …;' defines a function",
    "lambda": "'def f: …;' defines a function", "for": "'.[] | …' does something with each element",
    "eq": comparison, "ne": comparison, "gt": comparison, "ge": comparison, "lt": comparison, "le": comparison,
  ]

  /// Returns the name that a function or constant of other languages has here.
  static func name(for name: String) -> String? { names[name.lowercased()] }

  private static let names = [
    "true": "true", "false": "false", "null": "null", "none": "null", "nil": "null", "undefined": "null",
    "lowercase": "ascii_downcase", "lower": "ascii_downcase", "tolowercase": "ascii_downcase",
    "tolower": "ascii_downcase",
    "uppercase": "ascii_upcase", "upper": "ascii_upcase", "touppercase": "ascii_upcase", "toupper": "ascii_upcase",
    "len": "length", "size": "length", "count": "length", "strlen": "length", "str": "tostring", "string": "tostring",
    "int": "tonumber", "float": "tonumber", "number": "tonumber", "parseint": "tonumber", "parsefloat": "tonumber",
    "filter": "select", "where": "select", "sum": "add", "concat": "add", "replace": "gsub", "match_all": "scan",
    "exists": "has", "includes": "contains", "strip": "trim", "ln": "log", "sortby": "sort_by", "typeof": "type",
    "groupby": "group_by", "distinct": "unique", "parse": "fromjson", "stringify": "tojson",
  ]
}
