/// A part of a diagram that is laid out by itself.
struct PictureBlock {
  /// The places of its graphs and edges in the diagram.
  let clusters: [Int]
  let edges: [Int]
  let picture: Picture

  private init(_ clusters: [Int], _ edges: [Int], of picture: Picture) {
    self.clusters = clusters
    self.edges = edges
    self.picture = Picture(
      clusters: clusters.map { picture.clusters[$0] }, edges: edges.map { picture.edges[$0] })
  }

  /// Returns a block for each set of graphs that edges connect, in the order of their first graphs.
  static func connected(_ picture: Picture) -> [PictureBlock] {
    let graphs = graphs(of: picture)
    let (blocks, count) = connectedParts(picture.clusters.count, picture.edges.map { (graphs[$0.from], graphs[$0.to]) })
    return divided(picture, count) { blocks[$0] }
  }

  /// Returns a block for each graph.
  static func single(_ picture: Picture) -> [PictureBlock] { divided(picture, picture.clusters.count) { $0 } }

  /// Returns a block for each part of a graph that edges connect, in the order of their first nodes.
  static func parts(of picture: Picture) -> [PictureBlock] {
    let nodes = picture.clusters.flatMap(\.nodes)
    let places = Dictionary(nodes.enumerated().map { ($1.id, $0) }) { first, _ in first }
    let ends = picture.edges.map { (places[$0.from], places[$0.to]) }
    let (parts, count) = connectedParts(nodes.count, ends)
    return (0..<count).map { part in
      var cluster = picture.clusters[0]
      cluster.nodes = nodes.indices.filter { parts[$0] == part }.map { nodes[$0] }
      let edges = ends.indices.filter { edge in ends[edge].0.map { parts[$0] == part } ?? false }
      return PictureBlock([0], edges, of: Picture(clusters: [cluster], edges: picture.edges))
    }
  }

  /// Returns the number of the connected part that each of some things belongs to, and the count of parts.
  private static func connectedParts(_ count: Int, _ links: [(Int?, Int?)]) -> (parts: [Int], count: Int) {
    var neighbours = [[Int]](repeating: [], count: count)
    for case (let from?, let to?) in links where from != to {
      neighbours[from].append(to)
      neighbours[to].append(from)
    }
    var parts = [Int?](repeating: nil, count: count)
    var found = 0
    for first in 0..<count where parts[first] == nil {
      var open = [first]
      while let next = open.popLast() {
        if parts[next] != nil { continue }
        parts[next] = found
        open += neighbours[next]
      }
      found += 1
    }
    return (parts.map { $0 ?? 0 }, found)
  }

  private static func divided(_ picture: Picture, _ count: Int, by block: (Int) -> Int?) -> [PictureBlock] {
    let graphs = graphs(of: picture)
    var parts = [(clusters: [Int], edges: [Int])](repeating: ([], []), count: count)
    for cluster in picture.clusters.indices { if let block = block(cluster) { parts[block].clusters.append(cluster) } }
    for (index, edge) in picture.edges.enumerated() {
      guard let from = graphs[edge.from].flatMap(block), let to = graphs[edge.to].flatMap(block), from == to else {
        continue
      }
      parts[from].edges.append(index)
    }
    return parts.map { PictureBlock($0.clusters, $0.edges, of: picture) }
  }

  /// The place of the graph that has a node, by the node's name.
  private static func graphs(of picture: Picture) -> [String: Int] {
    var graphs: [String: Int] = [:]
    for (index, cluster) in picture.clusters.enumerated() { for node in cluster.nodes { graphs[node.id] = index } }
    return graphs
  }
}
