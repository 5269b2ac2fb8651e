/// Values as streams of paths and leaves.
extension Builtin {
  static let streams: [Builtin] = [
    Builtin(
      "tostream", [], "The leaves of the input with their paths, and where arrays and objects end.",
      Example("[tostream]", "[1]", "[[[0],1],[[0]]]"),
      .definition(
        "path(def r: (.[]? | r), .; r) as $p | getpath($p) | reduce path(.[]?) as $q ([$p, .]; [$p + $q])")),
    Builtin(
      "fromstream", ["f"], "The values of such a stream.",
      Example("fromstream([[0], 1], [[0]])", "null", "[1]"),
      .definition(
        """
        {x: null, e: false} as $init | foreach f as $i ($init;
          if .e then $init else . end
          | if $i | length == 2
            then setpath(["e"]; $i[0] | length == 0) | setpath(["x"] + $i[0]; $i[1])
            else setpath(["e"]; $i[0] | length == 1) end;
          if .e then .x else empty end)
        """)),
    Builtin(
      "truncate_stream", ["stream"], "A stream without the first keys of its paths, as many as the input says.",
      Example("[1 | truncate_stream([[0], 1], [[1, 0], 2], [[1, 0]], [[1]])]", "null", "[[[0],2],[[0]]]"),
      .definition(
        ". as $n | null | stream | . as $input | if (.[0] | length) > $n then setpath([0]; .[0][$n:]) else empty end")),
  ]
}
