import Base
import CSystemd
import Glibc

/// The events of one `read(2)` of an inotify descriptor.
struct InotifyEvents: Sequence, IteratorProtocol {
  struct Event {
    /// The watch of the event.
    let watch: Int32
    let mask: UInt32
    /// The cookie that pairs the two events of a move.
    let cookie: UInt32
    /// The name of the entry, for events in a folder; `nil` for none, and for one that is not UTF-8.
    let name: ExactText?
    /// True for the event of an entry whose name is not UTF-8.
    let isUnreadable: Bool

    /// True for the event of an entry of a folder.
    var hasName: Bool { name != nil || isUnreadable }
    /// Events of any watch were lost.
    var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }
    /// The kernel has removed the watch.
    var isGone: Bool { mask & UInt32(IN_IGNORED) != 0 }
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func next() -> Event? {
    let head = MemoryLayout<inotify_event>.size
    guard rest.count >= head else { return nil }
    let event = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
    let name = rest.dropFirst(head).prefix(Int(event.len)).prefix { $0 != 0 }
    rest = rest.dropFirst(head + Int(event.len))
    let text = name.isEmpty ? nil : String(validating: name, as: UTF8.self)
    return Event(
      watch: event.wd, mask: event.mask, cookie: event.cookie, name: text.map { ExactText($0) },
      isUnreadable: text == nil && !name.isEmpty)
  }
}
