/// An absolute path, as a parameter.
package struct FilePath: ParameterValue {
  package let text: String

  package static var typeName: String { "an absolute path" }
  package static var shape: ParameterShape { .text }
  package var needs: [OutsideNeed] { [.reading(text)] }
  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> FilePath? {
    reading.reader(node).path().map(FilePath.init)
  }
}
