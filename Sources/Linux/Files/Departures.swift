import CSystemd
import Glibc

/// The current paths of files that were renamed away from a name, while they stay in its folder.
struct Departures {
  /// In the order of departure; empty for an unknown name.
  private var names: [String] = []
  /// The index of each moving file, by the cookie that pairs the two events of a move.
  private var moving: [UInt32: Int] = [:]

  /// Processes an event of the folder.
  mutating func note(_ event: InotifyEvents.Event, of name: String) {
    if event.mask & UInt32(IN_MOVED_FROM) != 0 {
      if event.name == name { names.append(name) }
      if let index = names.lastIndex(of: event.name) {
        names[index] = ""
        moving[event.cookie] = index
      }
    } else if event.mask & UInt32(IN_MOVED_TO | IN_DELETE) != 0 {
      if let index = names.firstIndex(of: event.name) { names[index] = "" }
      if let index = moving.removeValue(forKey: event.cookie), event.name != name { names[index] = event.name }
    }
  }

  /// Returns and clears the names.
  mutating func take() -> [String] {
    if names.isEmpty { return [] }
    defer { self = Departures() }
    return names.filter { !$0.isEmpty }
  }
}
