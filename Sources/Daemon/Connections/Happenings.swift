/// A thing that can happen to a client.
enum ClientHappening: String {
  case connected, gone, lagging
}

/// Reports of clients that come, go or lag, made between other work.
final class Happenings {
  /// Told of each.
  var observer: (ClientHappening, _ client: Int, _ user: UInt32) -> Void = { _, _, _ in }
  private var untold: [(ClientHappening, client: Int, user: UInt32)] = []

  var isEmpty: Bool { untold.isEmpty }

  /// Keeps one until nobody is in the middle of writing events.
  func note(_ happening: ClientHappening, client: Int, user: UInt32) { untold.append((happening, client, user)) }

  /// Tells what has been kept.
  func tell() {
    let told = untold
    untold.removeAll()
    for (happening, client, user) in told { observer(happening, client, user) }
  }
}
