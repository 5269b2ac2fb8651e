import GraphEngine

/// The clients that may call each action, with names resolved once after each reload: a look-up may query a server.
struct Callers {
  private var generation: UInt64 = 0
  private var known: [String: Access] = [:]

  mutating func access(to action: any CallableAction, _ generation: UInt64) -> Access {
    if generation != self.generation {
      self.generation = generation
      known = [:]
    }
    if let access = known[action.name] { return access }
    let access = Access(action.access)
    known[action.name] = access
    return access
  }
}
