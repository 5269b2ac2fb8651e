package import GraphModel

extension Configuration {
  /// Returns an SVG of the graphs on a value's path, with the path marked and the values on its edges.
  package func picture(of explanation: Explanation) -> String {
    let way = ExplainedWay(explanation)
    let graphs = graphs.filter { way.graphs.contains($0.name) }
    return SVGPicture(picture: way.marked(PictureBuilder.picture(of: graphs))).text
  }
}
