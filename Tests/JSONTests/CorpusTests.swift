import JSON
import TestSupport
import Testing

struct CorpusTests {
  @Test(arguments: corpus.map { ($0.key, $0.value) })
  func `a text is taken or refused as its name says`(name: String, text: [UInt8]) {
    switch parsed(text) {
    case .success: #expect(name.hasPrefix("y_"), "\(name) was taken")
    case .failure(let error): #expect(name.hasPrefix("n_"), "\(name) was refused: \(error)")
    }
  }

  @Test(arguments: corpus.map { ($0.key, $0.value) })
  func `a text inside a line is judged as it is alone`(name: String, text: [UInt8]) {
    guard name != "n_nothing", name != "n_space_alone" else { return }
    let line = Array(#"{"op":"send","value":"#.utf8) + text + Array("}".utf8)
    var members: [JSONMember] = []
    var parser = JSONParser()
    let isObject = try? parser.readMembers(of: line.span, into: &members)
    #expect(isObject == (name.hasPrefix("y_") ? true : nil), "\(name)")
    guard isObject == true else { return }
    let value = line[members[1].value]
    #expect(Array(value) == text.trimmed, "\(name)")
  }

  @Test func `every refusal has its reason in the text, none is left unexplained`() {
    for (name, text) in corpus where name.hasPrefix("n_") {
      guard case .failure(let error) = parsed(text) else { continue }
      #expect(!error.message.contains("that the parser takes"), "\(name)")
    }
  }

  @Test(arguments: [1, 2])
  func `the quick and the plain reading judge every text alike and find the same members`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let bytes = Array("{}[],:\"\\u0d8e+-. a\u{1}".utf8) + [0x80, 0xC3, 0xF0]
    var parser = JSONParser()
    var members: [JSONMember] = []
    for (name, text) in corpus {
      for _ in 0..<100 {
        var line = Array(#"{"a":1,"b" : "#.utf8) + text + Array(#" ,"c\"":[{}]}"#.utf8)
        line[Int.random(in: 0..<line.count, using: &random)] = bytes.randomElement(using: &random) ?? 0
        do throws(JSONError) {
          guard try parser.readMembers(of: line.span, into: &members) else { continue }
          #expect(membersOfRefused(line.span) == members, "\(name): \(line)")
        } catch {
          #expect(!error.message.contains("that the parser takes"), "\(name): \(line)")
        }
      }
    }
  }
}

extension [UInt8] {
  fileprivate var trimmed: [UInt8] {
    let isSpace: (UInt8) -> Bool = { $0 <= 0x20 }
    return Array(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}
