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
    var links = picture.clusters.map { _ in [Int]() }
    for edge in picture.edges {
      guard let from = graphs[edge.from], let to = graphs[edge.to], from != to else { continue }
      links[from].append(to)
      links[to].append(from)
    }
    var blocks = [Int?](repeating: nil, count: links.count)
    var count = 0
    for first in links.indices where blocks[first] == nil {
      var open = [first]
      while let cluster = open.popLast() {
        if blocks[cluster] != nil { continue }
        blocks[cluster] = count
        open += links[cluster]
      }
      count += 1
    }
    return divided(picture, count) { blocks[$0] }
  }

  /// Returns a block for each graph.
  static func single(_ picture: Picture) -> [PictureBlock] { divided(picture, picture.clusters.count) { $0 } }

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
