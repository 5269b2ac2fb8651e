import Testing

struct YAMLSyntaxTests {
  @Test(arguments: [
    (
      "a:\n\tb: 1\n",
      """
      f.yaml:2:1: error: a tab cannot indent YAML; use spaces
        \tb: 1
        ^

      """
    ),
    (
      "- map: .a | {b: .c}\n",
      """
      f.yaml:1:15: error: ": " would begin a mapping inside this value; put the whole value in quotes
        - map: .a | {b: .c}
                      ^

      """
    ),
    (
      "- map: \"a\" + .b\n",
      """
      f.yaml:1:12: error: unexpected text after the closing quote; put the whole value in quotes
        - map: "a" + .b
                   ^

      """
    ),
    (
      "- map: [.a, .b] | add\n",
      """
      f.yaml:1:17: error: "|" or ">" begins a block of text here; put the whole value in quotes
        - map: [.a, .b] | add
                        ^

      """
    ),
    (
      "a: [1, 2\nb: 3\n",
      """
      f.yaml:2:2: error: expected "," or "]"
        b: 3
         ^
      f.yaml:1:4: note: the list begins here
        a: [1, 2
           ^

      """
    ),
    (
      "a: {path: ${DIR}/x}\n",
      """
      f.yaml:1:12: error: expected "," or "}"; inside brackets a value with "${…}" needs quotes
        a: {path: ${DIR}/x}
                   ^
      f.yaml:1:4: note: the mapping begins here
        a: {path: ${DIR}/x}
           ^

      """
    ),
    (
      "a: @x\n",
      """
      f.yaml:1:4: error: "@" cannot begin a plain value; put the value in quotes
        a: @x
           ^

      """
    ),
    (
      "a: 'abc\n",
      """
      f.yaml:1:4: error: unterminated quoted string
        a: 'abc
           ^

      """
    ),
    (
      "a:\n  b: 1\n c: 2\n",
      """
      f.yaml:3:2: error: expected a key here; is the indentation right?
         c: 2
         ^
      f.yaml:1:1: note: the mapping begins here
        a:
        ^

      """
    ),
    (
      "a: 1\n  b: 2\n",
      """
      f.yaml:2:4: error: unexpected key; check its indentation and the line before it
          b: 2
           ^

      """
    ),
    (
      "a: [1,,2]\n",
      """
      f.yaml:1:7: error: missing value before ","
        a: [1,,2]
              ^

      """
    ),
    (
      "a: x\n---\nb: 1\n",
      """
      f.yaml:2:1: error: unexpected second document: a configuration file holds one
        ---
        ^

      """
    ),
    (
      "a: *x\n",
      """
      f.yaml:1:4: error: no anchor "&x" before this alias; text that begins with "*" needs quotes
        a: *x
           ^

      """
    ),
    (
      "a: !x y\n",
      """
      f.yaml:1:4: error: unknown tag !x; text that begins with "!" needs quotes
        a: !x y
           ^

      """
    ),
  ])
  func `an error is reported in words that help`(text: String, found: String) {
    #expect(parse(text) == found)
  }

  @Test(arguments: [
    "a: *\n", "a: &\n", "a: ]\n", "a: \u{1}\n", "a: - b\n", "a: \"\\q\"\n", "a: \"\\ud83d\"\n", "a: 1\n...\nx\n",
    "%YAML 3.0\n---\na: 1\n", "key\nb: 1\n", "- a\nb: 1\n", "a: >x\n", "a: \"x\n", "%TAG ! x\n", "a: x\n\t\n",
  ])
  func `a text that is not YAML is one error`(text: String) {
    let found = parse(text)
    #expect(found.split(separator: "\n").count { $0.contains(": error: ") } == 1, "\(found)")
  }

  @Test func `a syntax error hides the rest of its file and keeps what was before it`() {
    let found = parse("a: 1\na: 2\nb: @\nc: 1\nc: 2\n")
    #expect(
      found == """
        f.yaml:2:1: error: duplicate key "a"
          a: 2
          ^
        f.yaml:1:1: note: first given here
          a: 1
          ^
        f.yaml:3:4: error: "@" cannot begin a plain value; put the value in quotes
          b: @
             ^

        """)
  }

  @Test(arguments: [
    ("a: 1\n? [b]\n: 2\n", "2:3: error: a key must be a plain word or quoted text"),
    ("a: 1\n? \n: 2\n", "2:2: error: missing key before \":\""),
    ("b: &b {c: 1}\na: {<<: *b}\n", "2:5: error: merge keys (\"<<\") belong to YAML 1.1; write the keys out"),
    ("'a': 1\n\"a\": 2\n", "2:1: error: duplicate key \"a\""),
    ("a: !!map [1]\n", "1:4: error: unknown tag !!map; text that begins with \"!\" needs quotes"),
  ])
  func `a mapping takes each key once and no other kind of key`(text: String, found: String) {
    #expect(parse(text).hasPrefix("f.yaml:\(found)\n"), "\(parse(text))")
  }

  @Test func `bytes that are not UTF-8 are an error at their place`() {
    let found = parse(Array("a: 1\nb: é".utf8) + [0xFF, 0x0A])
    #expect(found.hasPrefix("f.yaml:2:5: error: invalid UTF-8\n"), "\(found)")
  }

  @Test func `a byte order mark is skipped`() {
    #expect(parse([0xEF, 0xBB, 0xBF] + Array("a: 1".utf8)) == "{a:1}")
  }

  @Test func `deep nesting is refused`() {
    #expect(parse(String(repeating: "[", count: 100) + String(repeating: "]", count: 100)).hasPrefix("[[["))
    let deep = String(repeating: "[", count: 900) + String(repeating: "]", count: 900)
    #expect(parse(deep).hasPrefix("f.yaml:1:201: error: nested deeper than 200 levels\n"))
    #expect(parse(deep, name: "f.json").hasPrefix("f.json:1:201: error: nested deeper than 200 levels\n"))
  }
}
