import TestSupport

/// One step of a storm.
enum StormCommand {
  case connect(Int)
  case disconnect(Int)
  case subscribe(Int, StormWish)
  case unsubscribe(Int, StormWish)
  case send(Int, String, [Int])
  case complete(Int, String)
  /// A signal or, without a name, the graph.
  case restart(String?)
  case reload(StormGraph)
  case call(Int)
  case write(String)

  static let clients = 4

  /// A storm, reproducible by its random numbers.
  static func storm(_ count: Int, _ random: inout SplitMix) -> [StormCommand] {
    var graph = StormGraph.plain
    return (0..<count).map { _ in
      let client = random.number(0...clients - 1)
      switch random.number(0...99) {
      case 0..<4: return .connect(client)
      case 4..<7: return .disconnect(client)
      case 7..<27: return .subscribe(client, StormWish(&random))
      case 27..<34: return .unsubscribe(client, StormWish(&random))
      case 34..<70:
        let values = (0..<random.number(1...3)).map { _ in random.number(0...9) }
        return .send(client, random.one(of: StormGraph.inputs), values)
      case 70..<74: return .complete(client, random.one(of: ["a", "b"]))
      case 74..<80: return .restart(random.one(of: [nil, "a", "b", "s0", "s1", "s2"]))
      case 80..<94:
        graph = graph.changed(&random)
        return .reload(graph)
      case 94..<97: return .call(client)
      default: return .write("\(random.number(0...99))")
      }
    }
  }
}

/// The form of a subscription in a storm.
struct StormWish: Equatable {
  /// `g.s1`, or a pattern.
  let pattern: String
  let label: String?
  let take: Int?
  let isEvenOnly: Bool
  /// True if it asks for one value in an interval longer than any storm.
  let isPaced: Bool

  init(_ random: inout SplitMix) {
    let names = (StormGraph.inputs + (0..<6).map { "s\($0)" }).map { "g.\($0)" }
    let isPattern = random.number(0...3) == 0
    pattern = isPattern ? random.one(of: ["g.*", "*.*"]) : random.one(of: names)
    // The events of two subscriptions to one signal must be distinguishable.
    label = random.one(of: isPattern ? ["x", "y"] : [nil, nil, "z"])
    // Noise would be counted too.
    take = pattern.contains("*") ? nil : random.one(of: [nil, nil, nil, 1, 3])
    isEvenOnly = random.number(0...5) == 0
    isPaced = random.number(0...3) == 0
  }

  /// The key for cancelling it.
  var key: String { label.map { "label \($0)" } ?? pattern }

  var request: String {
    var fields = [#""op":"subscribe","signal":"\#(pattern)""#]
    if let label { fields.append(#""subscription":"\#(label)""#) }
    if let take { fields.append(#""take":\#(take)"#) }
    if isEvenOnly { fields.append(#""where":". % 2 == 0""#) }
    if isPaced { fields.append(#""every":"1d""#) }
    return "{\(fields.joined(separator: ","))}"
  }

  var ending: String {
    label.map { #"{"op":"unsubscribe","subscription":"\#($0)"}"# } ?? #"{"op":"unsubscribe","signal":"\#(pattern)"}"#
  }

  func wants(_ value: Int) -> Bool { !isEvenOnly || value % 2 == 0 }
  func covers(_ name: String) -> Bool { pattern.contains("*") || pattern == "g.\(name)" }
}
