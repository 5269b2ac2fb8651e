import CSystemd
import Glibc

/// The present paths of files that stood under a name since the last time, while they stay in its folder.
struct Departures {
  /// In the order in which they left; empty for one whose name is not known.
  private var names: [String] = []
  /// By the cookie that the two events of a move share, which one it is.
  private var moving: [UInt32: Int] = [:]

  /// Takes an event of the folder in.
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

  /// Returns their names and forgets them.
  mutating func take() -> [String] {
    if names.isEmpty { return [] }
    defer { self = Departures() }
    return names.filter { !$0.isEmpty }
  }
}
