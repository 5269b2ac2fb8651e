import Testing

/// The memory held for clients, as `stats` counts it.
struct MemoryUse {
  let ofAll: Int
  /// The memory of the user with the most.
  let ofUser: Int

  init(_ client: TestClient) throws {
    let stats = try client.ask("stats")
    ofAll = try Self.used(by: "memory", in: stats)
    ofUser = try Self.used(by: "user.memory", in: stats)
  }

  private static func used(by limit: String, in stats: String) throws -> Int {
    let start = try #require(stats.firstRange(of: "\"\(limit)\":{\"used\":"))
    return try #require(Int(stats[start.upperBound...].prefix { $0.isNumber }))
  }
}
