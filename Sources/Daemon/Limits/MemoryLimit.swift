/// A limit on memory that is held for clients.
enum MemoryLimit: String {
  /// The output that one client has not read.
  case output = "limits.output"
  /// All that is held for the clients of one user.
  case userMemory = "limits.user.memory"
  /// All that is held for clients.
  case memory = "limits.memory"
}
