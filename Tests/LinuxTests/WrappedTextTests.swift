import Linux
import Testing

struct WrappedTextTests {
  @Test func `a long line is broken at blanks, and continues below its last column`() {
    let line = "  name  what it means, which takes more room than there is"
    #expect(
      WrappedText.lines(line, width: 30) == [
        "  name  what it means, which", "        takes more room than", "        there is",
      ])
    #expect(WrappedText.lines("  plain text of some words", width: 14) == ["  plain text", "  of some", "  words"])
  }

  @Test(arguments: [1, 5, 10, 30, 200])
  func `nothing is lost but blanks, whatever the width`(width: Int) {
    let line = "   key   a_word_that_is_longer_than_any_terminal and others  behind a gap "
    let words = WrappedText.lines(line, width: width).flatMap { $0.split(separator: " ") }
    #expect(words == line.split(separator: " "))
  }

  @Test func `a line without blanks stays whole`() {
    let word = String(repeating: "x", count: 50)
    #expect(WrappedText.lines(word, width: 10) == [word])
    #expect(WrappedText.text("a\n\(word)\n", width: 10) == "a\n\(word)\n")
  }

  @Test func `paragraphs are refilled, but for those with indented lines`() {
    #expect(WrappedText.paragraphs("a b c\nd e\n\nf:\n  g", width: 5) == "a b c\nd e\n\nf:\n  g")
    #expect(WrappedText.paragraphs("aa b c\nd", width: 20) == "aa b c d")
    #expect(WrappedText.paragraphs("aa b c\nd", width: nil) == "aa b c\nd")
  }
}
