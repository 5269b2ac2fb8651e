/// The replacements for `§x` in the templates of `Family`.
extension Generator {
  mutating func fill(_ template: String) -> String {
    var result = ""
    var isPlace = false
    for character in template {
      if isPlace {
        result += made(for: character)
        isPlace = false
      } else if character == "§" {
        isPlace = true
      } else {
        result.append(character)
      }
    }
    return result
  }

  private mutating func made(for letter: Character) -> String {
    switch letter {
    case "e": expression(3)
    case "l": leaf()
    case "k": path()
    case "m":
      pick(
        ["1", "[.]", ".", "null", "{a: .}", "length", ". + 1", "(.a?) // 3", "tostring"].map { "first((\($0)), 9)" })
    case "v": value(2)
    case "o": object()
    case "s":
      pick(["\"\"", "\"a\"", "\"b\"", "\"ab\"", "\"a,b\"", "\",\"", "\"abcab\"", "\"A b\"", "\"12\"", "\"x\\\"y\""])
    case "u":
      pick([
        "\"äb€😀\"", "\"<&\\\"> \"", "\"tab\\tline\\n\"", "\"\\u0001\\u007f\"", "\"aé,éb\"", "\"[1,{}]\"", "\"null\"",
        "\"-1500\"",
      ])
    case "w": word()
    case "n": String(next(7) - 2)
    case "d":
      pick([
        "0", "1", "-1", "2", "3", "0.5", "-2.75", "1000", "123456789", "0.0001", "0.1", "100",
      ])
    // Numbers whose texts differ from those of their doubles.
    case "x": pick([made(for: "d"), "1e3", "1e17", "1e-7", "3.7e-300", "1e300", "4503599627370497.5"])
    // Only of ASCII characters: in others jq finds empty matches within characters.
    case "a": "(tostring | gsub(\"[^ -~]\"; \"\"))"
    case "i":
      pick(["0", "1", "-3", "1425599621", "951782400", "-86400", "1700000000.25", "4102444800", "1e9", "68169600"])
    case "Y": pick(["1970", "2000", "2015", "2024", "1999"])
    case "M": String(next(12))
    case "D":
      pick([
        "2015-03-05T23:51:47Z", "1970-01-01T00:00:00Z", "2024-02-29T12:00:00Z", "1999-12-31", "2015-03-05T23:51:47",
        "x", "",
      ])
    case "t":
      pick([
        "true", "false", "TRUE", " true", "1", " 4", "4 ", "+5", "5.", ".5", "-0", "1e3", "1e", "nan", "-nan", "NaN",
        "Infinity", "-inf", "0x10", "1_0", "", "=", "==", "QQ==", "QUI=", "QUJD=QUJD", "Q", "QUJDR", "%41", "%", "%4",
        "%zz", "%C3%A9", "%C3", "a%20b+c", "%00",
      ])
    case "p": "\"" + pick(["", "", "", "^"]) + pattern() + "\""
    case "q": "\"" + pattern() + "\""
    case "f": pick(["null", "\"g\"", "\"i\"", "\"x\"", "\"gi\"", "\"s\"", "\"n\"", "\"gx\""])
    default: String(letter)
    }
  }

  private mutating func object() -> String {
    let keys = ["a", "b", "c"].filter { _ in next(4) > 0 }
    return "{" + keys.map { "\"\($0)\":\(value(2))" }.joined(separator: ",") + "}"
  }

  private mutating func word() -> String {
    let letters = (0..<next(9)).map { _ in pick(["a", "b", "c", "A", "1", " ", ",", "é", "ab"]) }
    return "\"" + letters.joined() + "\""
  }

  /// A pattern without empty matches, also of its groups: the releases differ there.
  private mutating func pattern() -> String {
    let required = atom() + pick(["", "", "+", "{1,2}"])
    let rest = (0..<next(3)).map { _ in atom() + pick(["", "", "?", "*", "+", "{0,2}", "+?"]) }
    return required + rest.joined() + pick(["", "", "", "$"])
  }

  private mutating func atom() -> String {
    pick([
      "a", "b", "c", ".", "[ab]", "[^a]", "\\\\d", "\\\\w", "\\\\s", "(a)", "(?<n>[ab])", "(?:a|b)", "(a|bc)",
      "(?<n>a|1)", "é", "A",
    ])
  }
}
