import GraphEngine
import GraphTools
import Testing

/// The lifetime of graphs in virtual time.
struct RehearsalTests {
  /// A source, a computed signal and a call, so that each has timers or programs that could hold the engine.
  private static let signals = """
    in: {input: {}}
    SOURCE
    late: {from: x, pipe: [{debounce: 1s}]}
    often: {from: x, pipe: [{flat_map: {latest: {interval: 1s}}}]}
    """

  @Test(arguments: [
    "x: {interval: 1h}", "x: {at: '06:00', timezone: UTC}", "x: {timer: 1h}", "x: {interval: 1s, lazy: true}",
    "x: {merge: [in, {interval: 1s}]}", "x: {exec: [date]}", "x: {tail: /log}",
    "x: {marble: {diagram: '1-2-3', tick: 1s}}",
  ])
  func `nothing of the graphs remains once they are released`(source: String) throws {
    weak var engine: GraphEngine?
    do {
      let text = Self.signals.replacing("SOURCE", with: source)
      let rehearsal = Rehearsal(try TestGraph.configuration(signals: text))
      engine = rehearsal.runtime.engine
      rehearsal.runtime.start()
      rehearsal.move(to: .seconds(7200))
      #expect(engine != nil)
    }
    #expect(engine == nil)
  }
}
