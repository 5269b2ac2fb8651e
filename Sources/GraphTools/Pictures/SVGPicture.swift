/// Renders a diagram as SVG without external programs; it needs no font but a plain one.
///
/// Nodes and edges carry the names of their signals (`data-node`, `data-from`, `data-to`; `data-folded` those that a node
/// stands for besides), so that a page can display their events.
struct SVGPicture {
  let picture: Picture

  /// The size of a character in the fixed-width font.
  private static let letter = (width: 6.7, height: 15.0, size: 11.0)
  private static let padding = 9.0
  private static let wayColor = "#c0392b"

  var text: String {
    let layout = PictureLayout(
      picture, gapOf: { Double($0.count) * Self.letter.width + 28 }, sizeOf: Self.size)
    let (width, height) = (Self.number(layout.size.width), Self.number(layout.size.height))
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
      font-family="monospace" font-size="\(Self.number(Self.letter.size))">
      """,
      """
      <defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" \
      markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
      """,
      #"<rect width="100%" height="100%" fill="white"/>"#,
    ]
    for (cluster, frame) in zip(picture.clusters, layout.clusters) {
      if let frame { lines.append(Self.cluster(cluster, frame)) }
    }
    for (index, edge) in picture.edges.enumerated() where layout.routes[index].count > 1 {
      lines.append(Self.edge(edge, layout.routes[index], isAcross: layout.across.contains(index)))
    }
    for node in picture.clusters.flatMap(\.nodes) {
      if let frame = layout.frames[node.id] { lines.append(Self.node(node, frame)) }
    }
    // Labels are drawn last, so that no edge crosses them.
    for (index, edge) in picture.edges.enumerated() where layout.routes[index].count > 1 {
      lines += Self.label(edge, layout.routes[index], isAcross: layout.across.contains(index))
    }
    return (lines + ["</svg>"]).map { $0 + "\n" }.joined()
  }

  // MARK: Nodes

  private static func texts(of node: Picture.Node) -> [String] {
    ([node.title] + node.lines.map(\.text)).filter { !$0.isEmpty }
  }

  private static func size(of node: Picture.Node) -> PictureLayout.Size {
    let texts = texts(of: node)
    let width = Double(texts.map(\.count).max() ?? 0) * letter.width + 2 * padding
    let height = Double(max(1, texts.count)) * letter.height + padding
    return switch node.shape {
    // An inner box touches the shape's corners.
    case .join: PictureLayout.Size(width: 2 * width - 2 * padding, height: 2 * height - padding)
    case .input, .source, .action: PictureLayout.Size(width: width + 2 * padding, height: height)
    case .property: PictureLayout.Size(width: width, height: height + 2 * padding)
    case .derived, .outside: PictureLayout.Size(width: width, height: height)
    }
  }

  private static func node(_ node: Picture.Node, _ frame: PictureLayout.Frame) -> String {
    let isTimed = node.lines.contains(where: \.isTimed)
    let color = node.isOnWay ? wayColor : node.isPrivate || node.shape == .outside ? "gray" : "black"
    let stroke = "stroke=\"\(color)\""
    let width = isTimed ? " stroke-width=\"2.5\"" : ""
    let tooltip = node.documentation.map { "<title>\(XMLText.escaped($0))</title>" } ?? ""
    let texts = texts(of: node)
    let first = frame.middle - Double(texts.count - 1) * letter.height / 2 + 4
    let rows = texts.enumerated().map { index, text in
      let weight = index == 0 && !node.title.isEmpty ? " font-weight=\"bold\"" : ""
      return label(text, frame.x + frame.width / 2, first + Double(index) * letter.height, weight)
    }
    let shape = "<path d=\"\(outline(node.shape, frame))\" fill=\"\(fill(node.shape))\" \(stroke)\(width)/>"
    let folded =
      node.folded.isEmpty ? "" : " data-folded=\"\(XMLText.escaped(node.folded.joined(separator: " ")))\""
    return "<g data-node=\"\(XMLText.escaped(node.id))\"\(folded)>" + tooltip + shape + rows.joined() + "</g>"
  }

  private static func fill(_ shape: Picture.Node.Shape) -> String {
    switch shape {
    case .input, .property: "#dcecff"
    case .source: "#e6f5dc"
    case .action: "#ffe9d6"
    case .join: "#fff6cc"
    case .derived, .outside: "white"
    }
  }

  private static func outline(_ shape: Picture.Node.Shape, _ frame: PictureLayout.Frame) -> String {
    let (x, y) = (number(frame.x), number(frame.y))
    let (right, bottom, middle) = (number(frame.right), number(frame.bottom), number(frame.middle))
    switch shape {
    case .input:
      let neck = number(frame.right - padding)
      return "M\(x) \(y)H\(neck)L\(right) \(middle) \(neck) \(bottom)H\(x)z"
    case .join:
      let center = number(frame.x + frame.width / 2)
      return "M\(x) \(middle)L\(center) \(y) \(right) \(middle) \(center) \(bottom)z"
    case .property:
      let rim = "\(number(frame.width / 2)) \(number(padding / 2)) 0 0"
      let (high, low) = (number(frame.y + padding / 2), number(frame.bottom - padding / 2))
      let lid = "M\(x) \(high)A\(rim) 0 \(right) \(high)"
      return "M\(x) \(high)A\(rim) 1 \(right) \(high)V\(low)A\(rim) 1 \(x) \(low)z" + lid
    case .action:
      let (left, other) = (number(frame.x + 5), number(frame.right - 5))
      return "M\(x) \(y)H\(right)V\(bottom)H\(x)zM\(left) \(y)V\(bottom)M\(other) \(y)V\(bottom)"
    case .source: return rounded(frame, by: min(padding * 2, frame.height / 2))
    case .derived, .outside: return rounded(frame, by: 5)
    }
  }

  private static func rounded(_ frame: PictureLayout.Frame, by radius: Double) -> String {
    let (x, y, right, bottom) = (number(frame.x), number(frame.y), number(frame.right), number(frame.bottom))
    let (left, far) = (number(frame.x + radius), number(frame.right - radius))
    let (high, low) = (number(frame.y + radius), number(frame.bottom - radius))
    let corner = "A\(number(radius)) \(number(radius)) 0 0 1"
    return "M\(left) \(y)H\(far)\(corner) \(right) \(high)V\(low)\(corner) \(far) \(bottom)"
      + "H\(left)\(corner) \(x) \(low)V\(high)\(corner) \(left) \(y)z"
  }

  // MARK: Graphs and edges

  private static func cluster(_ cluster: Picture.Cluster, _ frame: PictureLayout.Frame) -> String {
    let tooltip = cluster.documentation.map { "<title>\(XMLText.escaped($0))</title>" } ?? ""
    return "<g data-graph=\"\(XMLText.escaped(cluster.title))\">\(tooltip)"
      + "<rect x=\"\(number(frame.x))\" y=\"\(number(frame.y))\" width=\"\(number(frame.width))\" "
      + "height=\"\(number(frame.height))\" rx=\"8\" fill=\"none\" stroke=\"#999\"/>"
      + "<text x=\"\(number(frame.x + 10))\" y=\"\(number(frame.y + 16))\" font-weight=\"bold\">"
      + "\(XMLText.escaped(cluster.title))</text></g>"
  }

  private static func edge(_ edge: Picture.Edge, _ route: [PictureLayout.Point], isAcross: Bool) -> String {
    let style =
      switch edge.kind {
      case .value: ""
      case .side: " stroke-dasharray=\"5 3\""
      case .newTurn: " stroke-width=\"2.5\""
      }
    let color = edge.isOnWay ? wayColor : "black"
    return
      "<path d=\"\(isAcross ? loop(route[0], route[1]) : curve(route))\"\(ends(of: edge)) "
      + "fill=\"none\" stroke=\"\(color)\"\(style) marker-end=\"url(#arrow)\"/>"
  }

  /// The attributes that tell the page what an arrow and its label belong to.
  private static func ends(of edge: Picture.Edge) -> String {
    " data-from=\"\(XMLText.escaped(edge.from))\" data-to=\"\(XMLText.escaped(edge.to))\""
  }

  /// Returns a curve with horizontal ends, which runs below if it leads back.
  private static func curve(_ route: [PictureLayout.Point]) -> String {
    var path = "M\(number(route[0].x)) \(number(route[0].y))"
    for (from, to) in zip(route, route.dropFirst()) {
      if from.x >= to.x {
        let depth = 44 + abs(from.y - to.y) / 4
        path += "C\(number(from.x)) \(number(from.y + depth)) \(number(to.x)) \(number(to.y + depth)) "
      } else {
        let middle = (from.x + to.x) / 2
        path += "C\(number(middle)) \(number(from.y)) \(number(middle)) \(number(to.y)) "
      }
      path += "\(number(to.x)) \(number(to.y))"
    }
    return path
  }

  /// Returns a curve between two graphs, which leaves its beginning to the right and reaches its end from the left.
  private static func loop(_ from: PictureLayout.Point, _ to: PictureLayout.Point) -> String {
    let reach = max(48, abs(to.x - from.x) / 2)
    return "M\(number(from.x)) \(number(from.y))C\(number(from.x + reach)) \(number(from.y)) "
      + "\(number(to.x - reach)) \(number(to.y)) \(number(to.x)) \(number(to.y))"
  }

  private static func label(_ edge: Picture.Edge, _ route: [PictureLayout.Point], isAcross: Bool) -> [String] {
    guard let text = edge.label else { return [] }
    let (from, to) = (route[route.count - 2], route[route.count - 1])
    // The lowest point of a curve that leads back is at three quarters of its depth.
    let depth = from.x >= to.x && !isAcross ? (44 + abs(from.y - to.y) / 4) * 0.75 : 0
    return [label(text, (from.x + to.x) / 2, (from.y + to.y) / 2 + depth - 4, " fill=\"#444\"" + Self.ends(of: edge))]
  }

  /// Returns a centred text with a white outline that keeps it legible over lines.
  private static func label(_ text: String, _ x: Double, _ y: Double, _ attributes: String) -> String {
    let halo = attributes.contains("fill") ? " stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\"" : ""
    return
      "<text x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"middle\"\(attributes)\(halo)>\(XMLText.escaped(text))</text>"
  }

  private static func number(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
  }
}
