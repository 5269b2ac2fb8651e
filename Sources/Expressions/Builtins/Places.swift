internal import JSON

/// Paths of values.
extension Builtin {
  static let places: [Builtin] = [
    Builtin(
      "path", ["f"], "The path of each output of an expression.", Example("path(.a[0])", "null", #"["a",0]"#),
      .node { PathNode($0[0]) }),
    Builtin(
      "paths", [], "The paths of all parts of the input.",
      Example("[paths]", #"{"a":[1]}"#, #"[["a"],["a",0]]"#), .definition("path(..) | select(length > 0)")),
    Builtin(
      "paths", ["f"], "The paths of all parts for which a condition holds.",
      Example("[paths(type == \"number\")]", #"{"a":[1]}"#, #"[["a",0]]"#),
      .definition("path(.. | select(f)) | select(length > 0)")),
    Builtin(
      "leaf_paths", [], "The paths of all parts that are neither array nor object.",
      Example("[leaf_paths]", #"{"a":[1]}"#, #"[["a",0]]"#), .definition("paths(scalars)")),
    Builtin(
      "getpath", ["path"], "The value at a path; null where there is none.",
      Example("getpath([\"a\", \"b\"])", #"{"a":{"b":1}}"#, "1"), .node { GetPathNode($0[0]) }),
    Builtin(
      "setpath", ["path", "value"], "The input with a value at a path.",
      Example("setpath([\"a\"]; 1)", "null", #"{"a":1}"#),
      .value2 { input, path, value, environment throws(ExpressionError) in
        let keys = try PathAccess.keys(path)
        var result = input
        try PathAccess.change(&result, at: keys[...], environment) { target throws(ExpressionError) in
          target = value
        }
        return result
      }),
    Builtin(
      "delpaths", ["paths"], "The input without what stands at some paths.",
      Example("delpaths([[\"a\"]])", #"{"a":1,"b":2}"#, #"{"b":2}"#),
      .value1 { input, paths, environment throws(ExpressionError) in
        guard case .array(let paths) = paths else { throw .badValue("Paths must be specified as an array") }
        return try PathDeletion.delete(paths, from: input, environment)
      }),
    Builtin(
      "del", ["f"], "The input without what an expression points at.",
      Example("del(.a)", #"{"a":1,"b":2}"#, #"{"b":2}"#), .definition("delpaths([path(f)])")),
    Builtin(
      "pick", ["f"], "Only what an expression points at, where it stands.",
      Example("pick(.a, .b.c)", #"{"a":1,"b":{"c":2,"d":3}}"#, #"{"a":1,"b":{"c":2}}"#),
      .definition(". as $in | reduce path(f) as $p (null; setpath($p; $in | getpath($p)))")),
  ]
}
