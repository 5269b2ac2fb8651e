import CAllocations
import Glibc
import GraphEngine
import GraphModel
import GraphTools
import JSON
import ReactiveCore

/// A signal that is computed from an input, and the values sent to it.
struct PipeShape {
  let name: String
  let pipe: String
  let values: [Payload]

  static let all = [
    PipeShape(name: "filter", pipe: "{filter: .v > 20}", values: readings),
    PipeShape(name: "map to an object of four", pipe: "{map: '{seq: .seq, t: .t, v: .v, p: .p}'}", values: readings),
    PipeShape(
      name: "filter, map, skip_repeats",
      pipe: "{filter: .v > 20}, {map: '{seq: .seq, t: .t, v: .v, p: .p}'}, skip_repeats", values: readings),
    PipeShape(name: "capture of three groups", pipe: "{map: 'capture(\"\(linePattern)\")'}", values: lines),
    PipeShape(name: "filter by test", pipe: "{filter: 'test(\"status=5[0-9]+\")'}", values: lines),
  ]

  /// Objects as sent by clients, with their text.
  private static let readings: [Payload] = (0..<1000).map { number in
    .raw(outlined(#"{"seq":\#(number),"t":1700000000,"v":21.5,"p":\#(number % 10)}"#))
  }

  /// Lines of a log.
  private static let lines: [Payload] = (0..<1000).map { number in
    .value(.string("2025-11-22T14:16:07Z web-\(number % 10) GET /api/items/\(number) status=200 took=\(number % 97)ms"))
  }

  private static let linePattern = "(?<method>GET|POST) (?<path>[^ ]+) status=(?<status>[0-9]+)"

  private static func outlined(_ text: String) -> RawJSON {
    var parser = JSONParser()
    var outline = Outline()
    let bytes = Array(text.utf8)
    precondition(parser.isValue(bytes.span, outline: &outline))
    return RawJSON(validated: bytes.span, outline: outline)
  }

  /// Nanoseconds per value, without clients and sockets.
  func cost() throws -> Double {
    let text = "signalbox: 1\ngraphs: {g: {signals: {in: {input: {}}, out: {from: in, pipe: [\(pipe)]}}}}\n"
    let rehearsal = Rehearsal(try GraphFigures.read(text))
    rehearsal.runtime.start()
    guard let input = rehearsal.runtime.signal(named: "g.in"), let output = rehearsal.runtime.signal(named: "g.out")
    else { return .nan }
    output.observer = { if case .next = $0 { sink &+= 1 } }
    return median(100_000) {
      { events in
        for number in 0..<events { try? rehearsal.runtime.send(values[number % values.count], to: input) }
      }
    }
  }
}

/// The costs of many groups, each with a `debounce`, a `window` of time and an end.
struct GroupFigures {
  static let keys = 10_000

  /// Nanoseconds of a value to an existing group.
  let value: Double
  /// Bytes per key, and the remaining bytes of all when the keys have ended.
  let key: Double
  let left: Double

  init() throws {
    let text = """
      signalbox: 1
      graphs:
        g:
          signals:
            in: {input: {}}
            out:
              from: in
              pipe:
                - group_by: {key: .p, idle: 10m, pipe: [{debounce: 5s}, {window: {time: 1m}}, {map: length}]}

      """
    let payloads: [Payload] = (0..<Self.keys).map { .value(["p": .string("room-\($0)"), "v": .number(Double($0))]) }
    let rehearsal = Rehearsal(try GraphFigures.read(text))
    rehearsal.runtime.start()
    guard let input = rehearsal.runtime.signal(named: "g.in") else { preconditionFailure("it is declared") }
    var time = Duration.zero
    let round = {
      time += .seconds(10)
      rehearsal.move(to: time)
      for payload in payloads { try? rehearsal.runtime.send(payload, to: input) }
    }
    let before = signalbox_allocated_bytes()
    round()
    key = Double(signalbox_allocated_bytes() - before) / Double(Self.keys)
    value = median(of: (0..<9).map { _ in GraphFigures.milliseconds(round) * 1e6 / Double(Self.keys) })
    rehearsal.move(to: time + .seconds(3600))
    left = Double(signalbox_allocated_bytes() - before) / Double(Self.keys)
  }
}

func printPipes() throws {
  print("pipe                             ns a value")
  for shape in PipeShape.all where wanted.isEmpty || shape.name.contains(wanted) {
    print(wide(shape.name, 32) + column(try shape.cost(), 11, digits: 0))
  }
}

func printGroups() throws {
  print("groups   ns a value   bytes a key   left of it")
  let found = try GroupFigures()
  print(
    column(Double(GroupFigures.keys), 6, digits: 0) + column(found.value, 13, digits: 0)
      + column(found.key, 14, digits: 0) + column(found.left, 13, digits: 0))
}
