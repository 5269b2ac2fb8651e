import Base
import CSystemd
import Glibc

/// The current paths of files that were renamed away from a name, while they stay in its folder.
struct Departures {
  /// In the order of departure; `nil` for an unknown name.
  private var names: [ExactText?] = []
  /// The index of each moving file, by the cookie that pairs the two events of a move.
  private var moving: [UInt32: Int] = [:]

  /// Processes an event of the folder.
  mutating func note(_ event: InotifyEvents.Event, of name: String) {
    let name = ExactText(name)
    if event.mask & UInt32(IN_MOVED_FROM) != 0 {
      if event.name == name { names.append(name) }
      if let departed = event.name, let index = names.lastIndex(of: departed) {
        names[index] = nil
        moving[event.cookie] = index
      }
    } else if event.mask & UInt32(IN_MOVED_TO | IN_DELETE) != 0 {
      if let replaced = event.name, let index = names.firstIndex(of: replaced) { names[index] = nil }
      if let index = moving.removeValue(forKey: event.cookie), event.name != name { names[index] = event.name }
    }
  }

  /// Returns and clears the names.
  mutating func take() -> [String] {
    if names.isEmpty { return [] }
    defer { self = Departures() }
    return names.compactMap { $0?.text }
  }
}
