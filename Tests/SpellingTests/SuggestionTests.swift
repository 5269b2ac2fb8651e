import Testing

@testable import Base

struct SuggestionTests {
  private static let words = [
    "map", "filter", "scan", "scan_map", "debounce", "throttle", "skip_repeats", "skip_while", "take", "warning",
  ]

  @Test(arguments: [
    ("debonce", "debounce"), ("deobunce", "debounce"), ("Filter", "filter"), ("skip-repeats", "skip_repeats"),
    ("skip_repeat", "skip_repeats"), ("mpa", "map"), ("fliter", "filter"), ("ma", "map"), ("map", "map"),
    ("skpi_whiel", "skip_while"), ("throtle", "throttle"), ("scanmap", "scan_map"),
  ])
  func `the nearest word is likely where the word may be a misspelling of it`(word: String, meant: String) {
    #expect(Suggestion.likely(for: word, among: Self.words) == meant)
  }

  @Test(arguments: ["xyz", "q", "", "temperature"])
  func `a word that is far from all others has no likely one`(word: String) {
    #expect(Suggestion.likely(for: word, among: Self.words) == nil)
  }

  @Test func `a word that shares no letter with another is not a misspelling of it`() {
    #expect(Suggestion.likely(for: "x", among: ["y"]) == nil)
    #expect(Suggestion.likely(for: "x", among: ["xy"]) == "xy")
  }

  @Test func `at most four letters of a long word may differ`() {
    let word = "abcdefghijklmnopqrstuvwxyz"
    #expect(Suggestion.likely(for: "0123" + word.dropFirst(4), among: [word]) == word)
    #expect(Suggestion.likely(for: "01234" + word.dropFirst(5), among: [word]) == nil)
  }

  @Test func `three letters suggest the only word that begins with them`() {
    #expect(Suggestion.likely(for: "WARN", among: Self.words) == "warning")
    #expect(Suggestion.likely(for: "deb", among: Self.words + ["debounce"]) == "debounce")
    #expect(Suggestion.likely(for: "skip_", among: Self.words) == nil)
    #expect(Suggestion.likely(for: "wa", among: Self.words) == nil)
  }

  @Test func `the first of equally near words is taken`() {
    #expect(Suggestion.likely(for: "cat", among: ["bat", "hat"]) == "bat")
    #expect(Suggestion.likely(for: "hat", among: ["bat", "hat"]) == "hat")
  }

  @Test func `the nearest word is found however far it is`() {
    #expect(Suggestion.nearest(to: "temperature", among: ["send", "list"]) != nil)
    #expect(Suggestion.nearest(to: "x", among: []) == nil)
  }

  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("ab", "ba", 1), ("abc", "acb", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
    ("A-b", "a_B", 0), ("É", "É", 0),
  ])
  func `a swap of neighbours counts as one change`(left: String, right: String, changes: Int) {
    var distance = EditDistance(from: left)
    #expect(distance(to: right, bound: 10) == changes)
    #expect(distance(to: right, bound: changes) == changes)
    #expect(distance(to: right, bound: changes - 1) == nil)
  }

  @Test func `a word of hundreds of letters is not a misspelling of another`() {
    let word = String(repeating: "a", count: 257)
    var distance = EditDistance(from: word)
    #expect(distance(to: String(word.dropLast()), bound: 10) == nil)
  }
}
