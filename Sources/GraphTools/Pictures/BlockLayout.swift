/// The layout of graphs that share their columns: from left to right, in the direction of data flow.
///
/// Each node is one column to the right of its last upstream node; graphs are stacked vertically. Within a graph, the
/// nodes of each column are ordered and shifted towards their neighbours, in several alternating passes.
struct BlockLayout {
  typealias Point = PictureLayout.Point
  typealias Frame = PictureLayout.Frame
  typealias Size = PictureLayout.Size

  /// A node, or a waypoint of an edge in a column.
  private struct Item {
    let cluster: Int
    let column: Int
    let size: Size
    var left: [Int] = []
    var right: [Int] = []
    var middle = 0.0
  }

  private(set) var frames: [String: Frame] = [:]
  /// The frames around the graphs; `nil` for an empty graph.
  private(set) var clusters: [Frame?] = []
  /// The waypoints of each edge, in the order of the diagram's edges; an edge that leads back has only its two ends.
  private(set) var routes: [[Point]] = []
  private(set) var size = Size(width: 0, height: 0)

  private static let gap = 14.0
  private static let margin = PictureLayout.margin
  private static let title = PictureLayout.title
  private static let passes = 12
  /// The maximum number of waypoints to arrange: with long edges, their number grows with the square of the number of
  /// signals.
  static let mostPassed = 20_000

  private let picture: Picture
  private let nodes: [(node: Picture.Node, cluster: Int)]
  private let places: [String: Int]
  /// The edges from left to right, as indices of nodes.
  private let forward: [(edge: Int, from: Int, to: Int)]
  private var items: [Item] = []
  private var order: [[[Int]]] = []
  private var columnsLeft: [Double] = []
  private var columnsWidth: [Double] = []
  /// The waypoints of each edge, by index of the edge.
  private var passed: [Int: [Int]] = [:]

  init(_ picture: Picture, gapOf label: (String) -> Double, sizeOf size: (Picture.Node) -> Size) {
    self.picture = picture
    nodes = picture.clusters.enumerated().flatMap { index, cluster in cluster.nodes.map { ($0, index) } }
    places = Dictionary(nodes.enumerated().map { ($1.node.id, $0) }, uniquingKeysWith: { first, _ in first })
    forward = picture.edges.enumerated().compactMap { [places] index, edge in
      guard edge.kind != .newTurn, let from = places[edge.from], let to = places[edge.to], from != to else {
        return nil
      }
      return (index, from, to)
    }
    let columns = columnsOfNodes()
    items = zip(nodes, columns).map { Item(cluster: $0.cluster, column: $1, size: size($0.node)) }
    connect()
    let count = (columns.max() ?? 0) + 1
    order = picture.clusters.map { _ in [[Int]](repeating: [], count: count) }
    for (index, item) in items.enumerated() { order[item.cluster][item.column].append(index) }
    for pass in 0..<Self.passes { sortColumns(forward: pass % 2 == 0) }
    stack()
    for pass in 0..<Self.passes { shift(forward: pass % 2 == 0) }
    placeColumns(count, label)
    placeClusters()
    routes = picture.edges.indices.map(route)
  }

  // MARK: Columns

  private func columnsOfNodes() -> [Int] {
    var upstreams = [[Int]](repeating: [], count: nodes.count)
    var subscribers = upstreams
    for edge in forward {
      upstreams[edge.to].append(edge.from)
      subscribers[edge.from].append(edge.to)
    }
    var columns = [Int?](repeating: nil, count: nodes.count)
    var isOpen = [Bool](repeating: false, count: nodes.count)
    func column(_ node: Int) -> Int {
      if let column = columns[node] { return column }
      // A cycle is cut where it closes.
      if isOpen[node] { return -1 }
      isOpen[node] = true
      let result = (upstreams[node].map(column).max() ?? -1) + 1
      columns[node] = result
      return result
    }
    var result = nodes.indices.map(column)
    // A node without upstream nodes is placed just before its first dependent.
    for node in nodes.indices where upstreams[node].isEmpty {
      if let first = subscribers[node].map({ result[$0] }).min() { result[node] = max(0, first - 1) }
    }
    return result
  }

  /// Connects items of neighbouring columns; longer edges within a graph get a waypoint in each column between.
  ///
  /// Past the limit, the longest edges get no waypoints and cross the nodes between.
  private mutating func connect() {
    let longest = longestArrowThatPasses()
    for (edge, from, to) in forward where isInside(from, to) {
      var last = from
      let between = (items[from].column + 1)..<items[to].column
      for column in between where between.count < longest {
        items.append(Item(cluster: items[from].cluster, column: column, size: Size(width: 0, height: 4)))
        passed[edge, default: []].append(items.count - 1)
        join(last, items.count - 1)
        last = items.count - 1
      }
      join(last, to)
    }
  }

  /// Selects edges to a later column of the same graph.
  private func isInside(_ from: Int, _ to: Int) -> Bool {
    items[from].column < items[to].column && items[from].cluster == items[to].cluster
  }

  /// Returns the greatest edge length for which all edges up to it can have waypoints.
  private func longestArrowThatPasses() -> Int {
    var room = Self.mostPassed
    let lengths = forward.filter { isInside($0.from, $0.to) }.map { items[$0.to].column - items[$0.from].column }
    for length in lengths.sorted() {
      room -= length - 1
      if room < 0 { return length - 1 }
    }
    return .max
  }

  private mutating func join(_ left: Int, _ right: Int) {
    items[left].right.append(right)
    items[right].left.append(left)
  }

  // MARK: Rows

  /// Sorts each column by the positions of its items' neighbours in the previous or next column.
  private mutating func sortColumns(forward: Bool) {
    for cluster in order.indices {
      let columns = forward ? Array(order[cluster].indices) : order[cluster].indices.reversed()
      var rank = [Int: Double]()
      for column in order[cluster] { for (index, item) in column.enumerated() { rank[item] = Double(index) } }
      for column in columns {
        let wanted = order[cluster][column].enumerated().map { index, item in
          let ranks = (forward ? items[item].left : items[item].right).compactMap { rank[$0] }
          return (item, ranks.isEmpty ? Double(index) : ranks.reduce(0, +) / Double(ranks.count), index)
        }
        order[cluster][column] = wanted.sorted { ($0.1, $0.2) < ($1.1, $1.2) }.map(\.0)
        for (index, item) in order[cluster][column].enumerated() { rank[item] = Double(index) }
      }
    }
  }

  private mutating func stack() {
    for column in order.joined() {
      var top = 0.0
      for item in column {
        items[item].middle = top + items[item].size.height / 2
        top += items[item].size.height + Self.gap
      }
    }
  }

  /// Shifts the items of each column, in order, towards their neighbours in the previous or next column.
  private mutating func shift(forward: Bool) {
    for cluster in order.indices {
      for column in forward ? order[cluster] : order[cluster].reversed() {
        let wanted = column.map { item -> Double in
          let near = forward ? items[item].left : items[item].right
          return near.isEmpty ? items[item].middle : near.map { items[$0].middle }.reduce(0, +) / Double(near.count)
        }
        // The mean of the positions pushed down and pushed up preserves all distances too.
        let down = spread(column, wanted)
        let up = spread(column.reversed(), wanted.reversed().map(-)).reversed().map(-)
        for (index, item) in column.enumerated() { items[item].middle = (down[index] + up[index]) / 2 }
      }
    }
  }

  /// Returns middles not less than wanted, each item below the previous one.
  private func spread(_ column: [Int], _ wanted: [Double]) -> [Double] {
    var middles: [Double] = []
    for (index, item) in column.enumerated() {
      let half = items[item].size.height / 2
      let least =
        index == 0 ? -Double.infinity : middles[index - 1] + items[column[index - 1]].size.height / 2 + Self.gap + half
      middles.append(max(wanted[index], least))
    }
    return middles
  }

  // MARK: Positions

  private mutating func placeColumns(_ count: Int, _ gap: (String) -> Double) {
    var left = Self.margin
    var widest = [Double](repeating: 0, count: count)
    for item in items { widest[item.column] = max(widest[item.column], item.size.width) }
    var gaps = [Double](repeating: 48, count: count + 1)
    for edge in forward {
      let column = items[edge.to].column
      if let label = picture.edges[edge.edge].label { gaps[column] = max(gaps[column], gap(label)) }
    }
    for column in 0..<count {
      columnsLeft.append(left)
      columnsWidth.append(widest[column])
      left += widest[column] + gaps[column + 1]
    }
  }

  private mutating func placeClusters() {
    var top = 0.0
    var right = 0.0
    for cluster in order.indices {
      let inside = order[cluster].joined()
      let highest = inside.map { items[$0].middle - items[$0].size.height / 2 }.min() ?? 0
      let offset = top + Self.title + Self.margin / 2 - highest
      for item in inside { items[item].middle += offset }
      for item in inside where item < nodes.count { frames[nodes[item].node.id] = frame(of: item) }
      let placed = inside.filter { $0 < nodes.count }.map(frame)
      guard let left = placed.map(\.x).min(), let end = placed.map(\.right).max() else {
        clusters.append(nil)
        continue
      }
      let lowest = inside.map { items[$0].middle + items[$0].size.height / 2 }.max() ?? top
      // An edge that leads back runs below.
      let bottom = lowest + (leadsBack(in: cluster) ? 3 * Self.margin : PictureLayout.foot)
      clusters.append(
        Frame(x: left - Self.margin, y: top, width: end - left + 2 * Self.margin, height: bottom - top))
      right = max(right, end + Self.margin)
      top = bottom + Self.margin
    }
    size = Size(width: right, height: max(0, top - Self.margin))
  }

  private func leadsBack(in cluster: Int) -> Bool {
    picture.edges.contains { edge in
      guard let from = places[edge.from], let to = places[edge.to] else { return false }
      return items[from].cluster == cluster && items[from].column >= items[to].column
    }
  }

  private func frame(of item: Int) -> Frame {
    let (size, column) = (items[item].size, items[item].column)
    return Frame(
      x: columnsLeft[column] + (columnsWidth[column] - size.width) / 2, y: items[item].middle - size.height / 2,
      width: size.width, height: size.height)
  }

  private func route(_ index: Int) -> [Point] {
    let edge = picture.edges[index]
    guard let from = frames[edge.from], let to = frames[edge.to] else { return [] }
    if from.right >= to.x {
      return [Point(x: from.x + from.width / 2, y: from.bottom), Point(x: to.x + to.width / 2, y: to.bottom)]
    }
    let between = (passed[index] ?? []).flatMap { item -> [Point] in
      let (left, column) = (columnsLeft[items[item].column], items[item].column)
      return [Point(x: left, y: items[item].middle), Point(x: left + columnsWidth[column], y: items[item].middle)]
    }
    return [Point(x: from.right, y: from.middle)] + between + [Point(x: to.x, y: to.middle)]
  }
}
