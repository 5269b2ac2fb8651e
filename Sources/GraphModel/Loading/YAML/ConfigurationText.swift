/// Parses the bytes of a configuration file into a tree: strict JSON if the name ends in `.json`, else YAML.
enum ConfigurationText {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Returns the file and its root; reports a syntax error and returns no root then.
  static func read(
    _ bytes: [UInt8], name: String, index: Int, problems: Problems
  ) -> (file: SourceFile, root: ConfigNode?) {
    let bytes = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    let file = SourceFile(name: name, index: index, text: String(decoding: bytes, as: UTF8.self))
    if let offset = firstInvalidByte(in: bytes) {
      problems.error("invalid UTF-8", at: file.place(ofByte: offset))
      return (file, nil)
    }
    do throws(SyntaxError) {
      return (file, try name.hasSuffix(".json") ? JSONTree.root(of: file, problems) : YAMLTree.root(of: file, problems))
    } catch {
      problems.report(error.diagnostic)
      return (file, nil)
    }
  }

  /// Returns the offset from the start of the slice.
  private static func firstInvalidByte(in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.withUnsafeBufferPointer { buffer in
      do throws(Unicode.UTF8.ValidationError) {
        let _: UTF8Span = try UTF8Span(validating: buffer.span)
        return nil
      } catch {
        return error.byteOffsets.lowerBound
      }
    }
  }
}
