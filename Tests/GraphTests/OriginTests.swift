import GraphCatalogue
import GraphModel
import Testing

/// The signals that a durable signal is computed from.
@Suite struct OriginTests {
  private static let text = """
    signalbox: 1
    graphs:
      outside:
        signals:
          begin: {input: {}}
          factor: {from: begin, hold: true}
      inside:
        durable: true
        signals:
          raw: {input: {}}
          limit: {property: {initial: 1}}
          hot: {combine: {raw: raw, limit: limit, factor: outside.factor}}
          chosen: {from: hot, pipe: [{flat_map: {latest: {from: late}}}]}
          late: {input: {}}
          back: {from: other, pipe: [{send_to: limit}]}
          other: {input: {}}
          alone: {input: {}}
    """

  @Test(arguments: [
    ("inside.raw", []), ("inside.limit", ["inside.back", "inside.other"]),
    ("inside.hot", ["inside.raw", "inside.limit", "inside.back", "inside.other", "outside.factor"]),
    (
      "inside.chosen",
      ["inside.hot", "inside.late", "inside.raw", "inside.limit", "inside.back", "inside.other", "outside.factor"]
    ),
    // Signals that are not durable enter unchanged.
    ("outside.factor", []), ("inside.nothing", []),
  ])
  func `are found through pipes, choices and what is sent`(_ signal: String, _ origins: [String]) throws {
    let world = ConfigurationWorld(files: ["f.yaml": Self.text])
    let configuration = try Configuration.load(.alone("f.yaml"), inputs: world.inputs)
    #expect(configuration.origins(of: signal) == Set(origins))
  }
}
