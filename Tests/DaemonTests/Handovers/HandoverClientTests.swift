import Foundation
import GraphStories
import Linux
import TestSupport
import Testing

/// Clients of every kind are told the same, byte for byte, whether or not the daemon is replaced while they talk.
///
/// `HANDOVERS` says how often it is, and `HANDOVERS_FROM` which round is the first.
@Suite(.serialized) struct HandoverClientTests {
  private static let perRound = 20
  private static let handovers = number("HANDOVERS") ?? 60
  private static let first = number("HANDOVERS_FROM") ?? 1

  private static func number(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }

  private static let straight = Result { try HandoverRound(seed: 1).play(handovers: 0) }

  @Test(arguments: first..<first + (handovers + perRound - 1) / perRound)
  func `each byte comes as if nothing had been`(seed: Int) throws {
    let straight = try Self.straight.get()
    let told = try HandoverRound(seed: seed).play(handovers: Self.perRound)
    for (one, other) in zip(told, straight) {
      if one.part.isExact {
        // Each daemon has an epoch of its own.
        let (told, before) = (one.lines.map(Self.withoutEpoch), other.lines.map(Self.withoutEpoch))
        let isSame = told == before
        let difference = zip(told, before).first { $0 != $1 }
        let lines = (difference?.0 ?? "\(told.count) lines", difference?.1 ?? "\(before.count) lines")
        #expect(isSame, "\(one.name): told \(lines.0), not \(lines.1)")
      } else {
        Self.expectWhole(one)
      }
    }
  }

  private static func withoutEpoch(_ line: String) -> String {
    line.replacing(#/"epoch":"[0-9a-f]{16}"/#, with: #""epoch":"""#)
  }

  /// Each value came or was counted as missing, each call was answered once.
  private static func expectWhole(_ told: HandoverRound.Told) {
    func number(_ name: String, _ line: String) -> Int? {
      guard let name = line.firstRange(of: "\"\(name)\":") else { return nil }
      return Int(line[name.upperBound...].prefix { $0.isNumber })
    }
    if told.name.hasPrefix("slow") {
      var next = 1
      for line in told.lines.dropFirst() {
        if line.contains("lagged") {
          next += number("dropped", line) ?? 0
        } else {
          #expect(number("seq", line) == next, "\(line)")
          next += 1
        }
      }
      #expect(next == 701)
    } else {
      let ends = told.lines.filter { $0.contains(#""op":"call""#) || $0.contains(#"{"reply":"call""#) }
      #expect(ends.compactMap { number("id", $0) }.sorted() == Array(1...30), "\(told.lines)")
      for line in ends where line.contains("error") {
        #expect(line.contains(#""code":"restarted""#) || line.contains(#""code":"busy""#), "\(line)")
      }
    }
  }
}

/// All conversations with one daemon, which is replaced while they go on.
final class HandoverRound {
  struct Told {
    let name: String
    let part: Conversation.Part
    let lines: [String]
  }

  private let folder = TemporaryFolder()
  private let state = TemporaryFolder()
  private var random: SplitMix
  private let process: ChildProcess
  private var speakers: [(name: String, part: Conversation.Part, speaker: Speaker)] = []
  private var handovers = 0

  init(seed: Int) throws {
    random = SplitMix(seed: UInt64(seed))
    let all = Conversation.all.map { ($0.name, $0.make($0.name)) }
    let graphs = all.map { name, conversation in
      "\(name):\n" + conversation.graph.split(separator: "\n").map { "  \($0)\n" }.joined()
    }.joined()
    let path = try folder.writeConfiguration(
      graphs, server: "{state: \(state.path), limits: {line: 4000, output: 200KiB}}")
    process = try ChildProcess(["--config", path, "--socket", folder("s")])
    try process.waitForOutput(containing: "ready")
    for (name, conversation) in all {
      for part in conversation.parts {
        let speaker = try Speaker(part.script, part.habits, at: folder("s"))
        speakers.append(("\(name).\(part.name)", part, speaker))
        // Those who only listen are there before anybody sends.
        if part.name == "listener" { try speaker.speak(upTo: .max) }
      }
    }
  }

  func play(handovers count: Int) throws -> [Told] {
    let deadline = MonotonicInstant.now() + .seconds(20)
    while true {
      let hasSpoken = speakers.allSatisfy(\.speaker.hasSpoken)
      for (_, part, speaker) in speakers {
        try speaker.speak(upTo: Int.random(in: 1...(part.script.utf8.count / 8 + 20), using: &random))
        let isLate = speakers.allSatisfy { $0.part.habits.contains(.readsLate) || $0.speaker.hasSpoken }
        try speaker.listen(upTo: Int.random(in: 1...20_000, using: &random), isLate: isLate)
      }
      if handovers < count, try hasTakenOver(), Bool.random(using: &random) {
        process.signal(SIGUSR2)
        handovers += 1
      }
      let isDone = speakers.allSatisfy { $0.speaker.hasHeard(all: $0.part) }
      if hasSpoken, isDone, handovers == count, try hasTakenOver() { break }
      if isDone || hasSpoken { speakers.randomElement(using: &random)?.speaker.wait() }
      if MonotonicInstant.now() > deadline {
        let late = speakers.filter { !$0.speaker.hasHeard(all: $0.part) }
        throw Unexpected(
          "not all is told: \(late.map { "\($0.name) \($0.speaker.lines.suffix(2))" }); \(process.output)")
      }
    }
    return speakers.map { Told(name: $0.name, part: $0.part, lines: $0.speaker.lines) }
  }

  private func hasTakenOver() throws -> Bool {
    try process.readWhatIsThere()
    return process.output.components(separatedBy: "goes on with the work").count - 1 == handovers
  }
}
