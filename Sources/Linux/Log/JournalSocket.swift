import CDescriptors
import CSystemd
import Glibc

/// A connection to the system journal in its native protocol (https://systemd.io/JOURNAL_NATIVE_PROTOCOL).
///
/// `sd_journal_sendv(3)` waits for the journal without a limit, and the program stands still with it. Here an entry waits
/// for space for a moment, as a burst may be faster than the journal; after that, entries are lost at once until there is
/// space again.
final class JournalSocket {
  /// The longest time that an entry waits, in steps: other programs may take the space that there is.
  private static let (steps, step) = (10, Duration.milliseconds(20))

  private let path: String
  private var socket: OwnedDescriptor?
  private var isStalled = false

  init(path: String = "/run/systemd/journal/socket") { self.path = path }

  /// Sends an entry; false if it is lost.
  func send(_ entry: [UInt8]) -> Bool {
    // A journal that was started again has another socket.
    for _ in 0..<2 {
      if socket == nil { socket = try? UnixSocket.connect(path: path, type: UnixSocket.datagramType) }
      guard let number = socket?.number else { return false }
      do throws(Errno) { return try send(entry, to: number) } catch { socket = nil }
    }
    return false
  }

  /// Returns false if there is no space.
  private func send(_ entry: [UInt8], to number: Int32) throws(Errno) -> Bool {
    for _ in 0..<Self.steps {
      if try sendOnce(entry, to: number) == .sent {
        isStalled = false
        return true
      }
      if isStalled { return false }
      _ = try Transfer(number).wait(for: .writable, timeout: Self.step)
    }
    isStalled = true
    return false
  }

  private enum Outcome { case sent, full, tooLarge }

  private func sendOnce(_ entry: [UInt8], to number: Int32) throws(Errno) -> Outcome {
    let outcome = try sendMessage(entry, to: number)
    guard outcome == .tooLarge else { return outcome }
    // An entry that is too large for a message is passed in a file.
    let file = try SealedMemory.make("journal-entry", entry)
    return try sendMessage([], [file.number], to: number)
  }

  private func sendMessage(_ bytes: [UInt8], _ descriptors: [Int32] = [], to number: Int32) throws(Errno) -> Outcome {
    let sent = retryingInterrupts {
      signalbox_send_descriptors(number, bytes, bytes.count, descriptors, descriptors.count)
    }
    if sent >= 0 { return .sent }
    switch errno {
    case EAGAIN: return .full
    case EMSGSIZE, ENOBUFS: return .tooLarge
    default: throw .last("sendmsg", path)
    }
  }
}
