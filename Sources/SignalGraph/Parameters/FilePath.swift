/// An absolute path, as a parameter.
struct FilePath: ParameterValue {
  let text: String

  static var typeName: String { "an absolute path" }
  static var shape: ParameterShape { .text }
  var needs: [OutsideNeed] { [.reading(text)] }
  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> FilePath? {
    reading.reader(node).path().map(FilePath.init)
  }
}
