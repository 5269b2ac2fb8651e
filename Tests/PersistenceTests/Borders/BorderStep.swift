import TestSupport

/// A step of a story of graphs that are durable or not, beside each other.
enum BorderStep {
  /// Send a unique value to an input.
  case send(String)
  case end(String)
  case restart(String)
  case attach(String)
  case detach(String)
  case reload(BorderGraphs)
  /// Commit the entries so far if the disk has space, without delivering the effects.
  case commit
  case settle
  case pass
  case fill
  case makeRoom
  case kill
  case handOver
  /// Settle everything, and check that a sent value reaches the signals as declared.
  case probe

  static func story(seed: Int) -> (graphs: BorderGraphs, steps: [BorderStep]) {
    var random = SplitMix(seed: UInt64(seed))
    let first = BorderGraphs(&random)
    var graphs = first
    let steps = (0..<Int.random(in: 10...60, using: &random)).map { _ in
      let input = BorderGraphs.inputs.randomElement(using: &random) ?? ""
      let name = BorderGraphs.names.randomElement(using: &random) ?? ""
      switch Int.random(in: 0..<30, using: &random) {
      case 0..<6: return send(input)
      case 6..<9: return commit
      case 9..<15:
        graphs = graphs.changed(&random)
        return reload(graphs)
      case 15..<18: return attach(name)
      case 18: return detach(name)
      case 19: return end(input)
      case 20..<22: return restart(name)
      case 22: return fill
      case 23..<25: return makeRoom
      case 25: return kill
      case 26: return handOver
      case 27: return pass
      case 28: return settle
      default: return probe
      }
    }
    return (first, steps)
  }
}
