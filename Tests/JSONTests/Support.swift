import JSON

/// Returns the value of a text, or its error.
func parsed(_ text: String, maximumDepth: Int = 128) -> Result<JSONValue, JSONError> {
  parsed(Array(text.utf8), maximumDepth: maximumDepth)
}

func parsed(_ text: [UInt8], maximumDepth: Int = 128) -> Result<JSONValue, JSONError> {
  var parser = JSONParser()
  do {
    return .success(try parser.value(of: text.span, maximumDepth: maximumDepth))
  } catch {
    return .failure(error)
  }
}

func fault(_ text: String, maximumDepth: Int = 128) -> JSONError? {
  if case .failure(let error) = parsed(text, maximumDepth: maximumDepth) { error } else { nil }
}

func nested(_ depth: Int, _ innermost: String = "") -> String {
  String(repeating: "[", count: depth) + innermost + String(repeating: "]", count: depth)
}
