import GraphEngine
import GraphModel
import Testing

/// Several choices in one turn: each is started, and emits its immediate events before the next one replaces it.
@Suite struct `Choices of one turn` {
  /// Sources that emit 1 and 2 at once, and possibly continue.
  private static let forms = [
    "{values: [1, 2]}",
    "{merge: [{values: [1, 2]}]}",
    "{merge: [{merge: [{value: 1}]}, {value: 2}]}",
    "{combine: [{values: [1, 2]}], emit: event, pipe: [{map: '.[0]'}]}",
    "{from: {values: [1, 2]}, pipe: [{with_latest: held}, {map: '.[0]'}]}",
    "{race: [{values: [1, 2]}, never]}",
    "{concat: [{value: 1}, {merge: [{value: 2}]}]}",
    "{switch: {on: {value: a}, cases: {a: {merge: [{values: [1, 2]}]}}}}",
    "both",
    "{from: both}",
    "{merge: [{from: woken, pipe: [{take: 2}]}]}",
    "{value: 1, pipe: [{flat_map: {concat: {merge: [{values: [1, 2]}]}}}]}",
    "{fail: {code: x}, pipe: [{catch: {merge: [{values: [1, 2]}]}}]}",
  ]
  private static let others = """
    keys: {input: {endable: true}}
    held: {property: {initial: 0}}
    never: {never: true}
    both: {values: [1, 2], cold: true, pipe: [{merge: {empty: true}}]}
    woken: {merge: [{values: [1, 2]}, never], lazy: true}
    """

  @Test(arguments: forms, ["latest", "merge", "concat", "first", "race"])
  func `flat_map emits what each emits at once`(form: String, strategy: String) throws {
    let graph = try TestGraph(
      signals: "\(Self.others)\nout: {from: keys, pipe: [{map: '.[]'}, {flat_map: {\(strategy): \(form)}}]}")
    try graph.send("[7, 8]", to: "keys")
    let all = ["out#1 1", "out#2 2", "out#3 1", "out#4 2"]
    #expect(graph.said(by: "out") == (strategy == "race" ? Array(all.prefix(2)) : all))
    try graph.runtime.end(graph.signal("keys"), with: .completed)
    #expect(graph.said(by: "out") == ["out completed"])
  }

  @Test(arguments: forms)
  func `switch and if emit what each choice emits at once`(form: String) throws {
    let graph = try TestGraph(
      signals: """
        \(Self.others)
        flat: {from: keys, pipe: [{map: '.[]'}]}
        out: {switch: {on: flat, cases: {a: \(form), b: {value: b}}, default: \(form)}}
        other: {if: {condition: {from: flat, pipe: [{map: . == "b"}]}, then: {value: b}, else: \(form)}}
        """)
    try graph.send(#"["a", "b", "c"]"#, to: "keys")
    let said = graph.said(by: "out", "other")
    for name in ["out", "other"] {
      #expect(
        said.filter { $0.hasPrefix("\(name)#") }.map { $0.split(separator: " ")[1] } == ["1", "2", "\"b\"", "1", "2"])
    }
  }

  @Test func `the keys of the articles, sent at once, start each signal in turn`() throws {
    let graph = try TestGraph(
      signals: """
        keys: {values: [sync, async, none]}
        out:
          switch:
            on: keys
            cases:
              sync: {values: [0, 1]}
              async: {concat: [{value: start}, {timer: 1s, pipe: [{map_to: end}]}]}
            default: {value: default}
        last: {values: [1, 2], pipe: [{flat_map: {latest: {concat: [{value: start}, {timer: 1s, pipe: [{map_to: end}]}]}}}]}
        """)
    graph.advance(to: 5)
    #expect(
      graph.said(by: "out") == [
        "out#1 0", "out#2 1", #"out#3 "start""#, #"out#4 "default""#, "out completed",
      ])
    #expect(graph.signal("last").sequence == 3)
  }

  @Test func `a chosen join sees the other signals settled, and downstream is computed once a turn`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        twice: {merge: [a, a], hold: true}
        out: {from: a, pipe: [{flat_map: {latest: {combine: [twice, twice]}}}]}
        end: {combine: [a, out, {from: a, pipe: [{map: -.}]}]}
        """)
    for value in 1...3 { try graph.send("\(value)", to: "a") }
    #expect(
      graph.said(by: "out", "end") == [
        "out#1 [1,1]", "end#1 [1,[1,1],-1]", "out#2 [2,2]", "end#2 [2,[2,2],-2]", "out#3 [3,3]", "end#3 [3,[3,3],-3]",
      ])
  }
}
