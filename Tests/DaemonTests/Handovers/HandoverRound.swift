import Foundation
import Glibc
import GraphStories
import Linux
import TestSupport

/// All conversations with one daemon, which is replaced meanwhile.
final class HandoverRound {
  struct Told {
    let name: String
    let part: Conversation.Part
    let lines: [String]
  }

  private let folder = TemporaryFolder()
  private let state = TemporaryFolder()
  private var random: SplitMix
  private var process: ChildProcess
  private let arguments: [String]
  private let graphs: String
  private var hasOther = false
  private let manager: StandInManager?
  /// The step at which the next process dies, if it has that many.
  private var nextDeath: Int
  private(set) var deaths = 0
  private(set) var hasDiedEverywhere = false
  private var speakers: [(name: String, part: Conversation.Part, speaker: Speaker)] = []
  private var handovers = 0

  /// - Parameters:
  ///   - manager: Starts the next process; without one the program is replaced in place.
  ///   - firstDeath: The step at which the first successor dies; each later one dies a step later.
  init(seed: Int, _ manager: StandInManager? = nil, firstDeath: Int = 0) throws {
    random = SplitMix(seed: UInt64(seed))
    self.manager = manager
    nextDeath = firstDeath
    let all = Conversation.all.map { ($0.name, $0.make($0.name)) }
    graphs = all.map { name, conversation in
      "\(name):\n" + conversation.graph.split(separator: "\n").map { "  \($0)\n" }.joined()
    }.joined()
    let path = try Self.write(graphs, folder, state)
    arguments = ["--config", path, "--socket", folder("s")]
    process = try manager?.start(arguments) ?? ChildProcess(arguments)
    try process.waitForOutput(containing: "ready")
    for (name, conversation) in all {
      for part in conversation.parts {
        let speaker = try Speaker(part.script, part.habits, at: folder("s"))
        speakers.append(("\(name).\(part.name)", part, speaker))
        // Clients that only listen subscribe before any client sends.
        if part.name == "listener" { try speaker.speak(upTo: .max) }
      }
    }
  }

  @discardableResult private static func write(
    _ graphs: String, _ folder: TemporaryFolder, _ state: TemporaryFolder
  ) throws -> String {
    try folder.writeConfiguration(
      graphs, server: "{state: \(state.path), limits: {line: 4000, output: 200KiB}}")
  }

  /// - Parameter count: The number of handovers during the conversations.
  func play(handovers count: Int) throws -> [Told] {
    let deadline = MonotonicInstant.now() + .seconds(60)
    while true {
      for (_, part, speaker) in speakers {
        let share = part.script.utf8.count * (handovers + 1) / (count + 1) - speaker.spokenBytes
        if share > 0 { try speaker.speak(upTo: Int.random(in: 1...share, using: &random)) }
        let isLate = speakers.allSatisfy { $0.part.habits.contains(.readsLate) || $0.speaker.hasSpoken }
        try speaker.listen(upTo: Int.random(in: 1...20_000, using: &random), isLate: isLate)
      }
      if handovers < count, try hasTakenOver(), Int.random(in: 0..<4, using: &random) == 0 { try replace() }
      let isDone = speakers.allSatisfy { $0.speaker.hasSpoken && $0.speaker.hasHeard(all: $0.part) }
      if isDone, handovers == count, try hasTakenOver() { break }
      speakers.randomElement(using: &random)?.speaker.wait()
      if MonotonicInstant.now() > deadline {
        let late = speakers.filter { !$0.speaker.hasHeard(all: $0.part) }
        throw Unexpected(
          "not all is told: \(late.map { "\($0.name) \($0.speaker.lines.suffix(2))" }); \(process.output)")
      }
    }
    return speakers.map { Told(name: $0.name, part: $0.part, lines: $0.speaker.lines) }
  }

  private func replace() throws {
    handovers += 1
    if handovers.isMultiple(of: 3) {
      hasOther.toggle()
      try Self.write(graphs + (hasOther ? "other: {signals: {a: {input: {}}}}\n" : ""), folder, state)
    }
    guard let manager else { return process.signal(SIGUSR2) }
    try manager.takeOver(from: process)
    if nextDeath > 0 {
      let heir = try manager.start(arguments, dyingAt: nextDeath)
      if try manager.waitForReadiness(of: heir) {
        // It has fewer steps than that.
        hasDiedEverywhere = true
        nextDeath = 0
        process = heir
        return
      }
      deaths += 1
      nextDeath += 1
    }
    process = try manager.start(arguments)
    guard try manager.waitForReadiness(of: process) else { throw Unexpected("it failed to start: \(process.output)") }
  }

  private func hasTakenOver() throws -> Bool {
    if let manager {
      try manager.serve()
      return true
    }
    try process.readWhatIsThere()
    return process.count(of: "resumed the state") == handovers
  }
}
