import Linux
import TestSupport

/// A client whose output is compared bytewise: it writes a script in arbitrary pieces, and stores all that it reads.
final class Speaker {
  private let socket: OwnedDescriptor
  private var script: ArraySlice<UInt8>
  private(set) var received: [UInt8] = []
  private(set) var hasEnded = false
  private(set) var spokenBytes = 0
  private let habits: Conversation.Habits
  private var isDone = false

  init(_ script: String, _ habits: Conversation.Habits, at path: String) throws {
    socket = try UnixSocket.connect(path: path)
    try socket.setBlocking(false)
    self.script = Array(script.utf8)[...]
    self.habits = habits
  }

  var hasSpoken: Bool { script.isEmpty }

  /// Writes a part of its script, possibly up to the middle of a line.
  func speak(upTo count: Int) throws {
    guard !script.isEmpty else { return }
    let piece = script.prefix(count)
    if case .bytes(let written) = try piece.withUnsafeBytes({ try socket.transfer.send($0) }) {
      script = script.dropFirst(written)
      spokenBytes += written
    }
    if script.isEmpty, habits.contains(.leavesWriting) { try UnixSocket.shutDownWriting(socket) }
  }

  /// Reads some of the available bytes; a late reader only reads if `isLate`.
  func listen(upTo count: Int, isLate: Bool) throws {
    if hasEnded || (habits.contains(.readsLate) && !isLate) { return }
    switch try socket.transfer.read(upTo: habits.contains(.readsSlowly) ? min(count, 700) : count) {
    case nil: break
    case let bytes? where bytes.isEmpty: hasEnded = true
    case let bytes?: received += bytes
    }
  }

  func wait() { _ = try? socket.transfer.wait(for: .readable, timeout: .milliseconds(2)) }

  /// True once it has received all that it waits for.
  func hasHeard(all part: Conversation.Part) -> Bool {
    guard let last = part.last else { return lines.count { $0.contains(#""id":"#) } == part.answers }
    let end = Array(last.utf8) + [UInt8(ascii: "\n")]
    return received.suffix(end.count).elementsEqual(end)
  }

  var lines: [String] { String(decoding: received, as: UTF8.self).split(separator: "\n").map(String.init) }
}
