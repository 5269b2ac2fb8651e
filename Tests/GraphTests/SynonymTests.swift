import GraphTools
import Testing

struct SynonymTests {
  @Test(arguments: [
    ("distinct", "skip_repeats"), ("dedupe", "skip_repeats"), ("cron", "at"), ("webhook", "call"),
    ("moving average", "window"),
    ("rate limit", "throttle"), ("rate-limit", "throttle"), ("hysteresis", "scan"), ("combineLatest", "combine"),
    ("SWITCHMAP", "flat_map"), ("shareReplay", "hold"),
  ])
  func `a word of another library leads to the name here`(word: String, name: String) {
    #expect(Synonyms.names(for: word).first == name)
  }

  @Test func `each name that synonyms lead to is an operator, a source or a trait`() {
    let known = Set(WordExplanation.all.map(\.name) + KeyExplanation.traits.map(\.name))
    #expect(Synonyms.entries.map(\.name).filter { !known.contains($0) } == [])
  }

  @Test func `no synonym is the name of something else that would hide it`() {
    let names = Set(WordExplanation.all.map(\.name) + KeyExplanation.traits.map(\.name))
    let hidden = Synonyms.entries.flatMap(\.words).filter(names.contains)
    #expect(hidden == [])
  }
}
