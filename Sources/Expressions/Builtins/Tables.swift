/// Row look-ups and joins, as in SQL.
extension Builtin {
  static let tables: [Builtin] = [
    Builtin(
      "INDEX", ["f"], "An object of the elements, keyed by an expression.",
      Example("INDEX(.id)", #"[{"id":1}]"#, #"{"1":{"id":1}}"#), .definition("INDEX(.[]; f)")),
    Builtin(
      "INDEX", ["source", "f"], "An object of the outputs of a source, keyed by an expression.",
      Example("INDEX(.[]; .id)", #"[{"id":1}]"#, #"{"1":{"id":1}}"#),
      .definition("reduce source as $row ({}; .[$row | f | tostring] = $row)")),
    Builtin(
      "JOIN", ["$index", "f"], "Pairs of each element and its row in an index.",
      Example(#"JOIN({"1": "a"}; .id | tostring)"#, #"[{"id":1}]"#, #"[[{"id":1},"a"]]"#),
      .definition("[.[] | [., $index[f]]]")),
    Builtin(
      "JOIN", ["$index", "source", "f"], "Pairs of each output of a source and its row in an index.",
      Example(#"JOIN({"1": "a"}; .[]; tostring)"#, "[1]", #"[1,"a"]"#), .definition("source | [., $index[f]]")),
    Builtin(
      "JOIN", ["$index", "source", "f", "join"], "The outputs of an expression for such pairs.",
      Example(#"JOIN({"1": "a"}; .[]; tostring; .[1])"#, "[1]", "\"a\""),
      .definition("source | [., $index[f]] | join")),
  ]
}
