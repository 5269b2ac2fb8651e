extension Configuration {
  /// The graphs of a value's way, as SVG, with that way in it and the values on the arrows.
  package func picture(of explanation: Explanation) -> String {
    let way = ExplainedWay(explanation)
    let graphs = graphs.filter { way.graphs.contains($0.name) }
    return SVGPicture(picture: way.marked(PictureBuilder.picture(of: graphs))).text
  }
}
