/// Expressions on one subject: inputs and templates, in which `§x` is replaced by `Generator.fill` each time.
///
/// Intended differences from jq are excluded: times a second or two before 1970, which jq takes for failures of the C
/// library; `exp10`, which is rounded correctly here; `last` and `reduce` as paths, which are followed here and lost or
/// refused there; strings repeated beyond all bounds; expressions that only move a number and then show its digits.
struct Family {
  let inputs: [String]
  let templates: [String]

  /// The features common to all releases from 1.6 on.
  static let common = [general, strings, patterns, dates, numbers, places, updates, bindings, control, sequences]

  /// The fixes and additions of later releases: `|= empty`, `limit(0; …)`, `error(null)`, `IN/2`, empty matches,
  /// invalid code points, and those named in docs/expressions.md.
  static let present = Family(
    inputs: ["§v", "§o", "[§v,§v,§v]", "§u", "§w", "§x", "[§x,§x,§x]", "[§s,§s]", "\"§t\"", "[§Y,§M,§i,§x]"],
    templates: [
      "toboolean", "map(toboolean?)", "trimstr(§s)", "trimstr(§l)", "ltrimstr(§l)", "rtrimstr(§l)", "ltrimstr(§s)",
      "rtrimstr(\"\")", "@urid", "@uri | @urid", "@urid \"\\(.)!\"", "format(\"text\", \"json\")",
      "format(\"uri\", \"urid\", \"csv\")", "format(§l)", "[limit(§n; .[]?)]", "[limit(0; error)]",
      "[skip(§n; .[]?)]", "[skip(§n; §l)]", "[nth(§n; .[]?)]", "last(empty)", "[last(.[]?)]", "[first(.[]?), last(§l)]",
      "tonumber * 1", "map(tonumber? * 1)", "map(try (tonumber * 1) catch \"no\")", "\"§t\" | tonumber * 1",
      "\"§t\" | toboolean",
      ". * 0", ". * 0.5", ". * -1", "§n * .", "§s * §n", "1 + §n as $x | -$x", "-1 as $x | $x, §l",
      "-2 as $x | [$x, -$x]", "§l + §l as $x | [$x]", "§l as $x | §l as $y | [$x, $y]", "1, 2 as $x | $x",
      "[§l == §l as $x | $x, 1]", "§l // §l as $x | [$x]", "{a: 1 + §n, b: §l // 2, c: 1 == §n}",
      "{a: §l | [.]}", "{\"x\": -3}", "[-3, - §l]", "-.a", "-(.a?)", "-.[0]?", "reduce -3 as $x (0; . + $x)",
      "[§Y, 13, §i] | mktime", "[§Y, §M, §n] | strftime(\"%Y-%m-%dT%H:%M:%SZ %j %a\")", "[.] | mktime",
      "[§Y, §M] | mktime", "[§Y, 13, -5] | mktime",
      "[§Y, §M, §n, §n, §n, §d] | mktime", "[§Y] | todate", "gmtime | .[:§n] | mktime", "gmtime", "todate",
      "bsearch(§l)",
      "bsearch(§d)", "@base64 | @base64d", "\"§t\" | @base64d", "del(.[nan])", "del(.[nan, 0])", "del(.[nan].a)",
      "delpaths([[nan], [nan, 0], [0]])", ".[nan]", ".[nan] = 1", "to_entries[nan]?", "getpath([nan])", ".[§d]",
      ".[-§d]",
      ".[-0.5]", ".[-1.5]", ".[1.5] = 9", ".[-1.5] = 9", ".[0.5] |= [.]", "del(.[-1.5, 0.5])", ".[§d:]",
      ".[:-1.5] = []",
      "has(§d)", "§k |= empty", ".[] |= empty", "(.. | numbers) |= empty", ".[§n:] |= empty", "try error(null) catch .",
      "IN(§l; §l)", "IN(.[]?; .[]?)", "§a | [match(\"\"; \"g\").offset]", "[match(§q; \"g\") | .offset, .length]",
      "§a | gsub(\"\"; \"-\")", "§a | gsub(\"^\"; \">\")", "§a | gsub(\"$\"; \"<\")", "§a | gsub(\"x*\"; \"-\")",
      "§a | [splits(\"b*\")]",
      "§a | [scan(\"a*\")]", "[scan(\"A\"; \"i\")]", "sub(\"(?<x>a)|b\"; \"[\\(.x)]\")", "gsub(\"a\"; \"b\", \"c\")",
      "[.[]? | index(\"b\")?]", "indices(\"é\")", "rindex(\"a\")", "indices(\"\")", "indices([])", "index(§s)",
      "ltrimstr(\"a\") | rtrimstr(\"b\")", "explode | map(. * 9000) | implode", "[55296, 65, -1, 1114112] | implode",
      "implode", "trim", "ltrim, rtrim", "abs", "map(abs?)", "pick(§k)", "pick(.a)", "pick(.[1])", "pick(first(.[]?))",
      "add(.[]?)", "add(empty)", "add(§l, §l)", "have_literal_numbers", "getpath([\"a\", §n])", "[paths] | length",
      "splits(\"a\"; §f)", "ascii_downcase, ascii_upcase", "limit(1; §l) |= 3", "skip(1; .[]?) |= 3",
      "nth(1; .[]?) = 3",
      "[limit(2; repeat(1))]", "until(true; 1)", "isempty(error(\"x\"), 1)", "isempty(1, error(\"x\"))",
      "[range(§n; §n + 0.5)]", "[limit(5; range(§n; §d; 0.5))]", "[range(0; 3; 0)]", "flatten(-1)", "from_entries",
      "[{key: false}, {name: §s}, {k: 1}] | from_entries", "with_entries(.key |= ascii_upcase)", "walk(§l)",
      "[.[]?] | @tsv",
      "tostream", "fromstream(tostream)", "getpath([\"a\",\"b\"]) = §l", "to_entries", "§a | splits(§s)",
      "ltrimstr(1)?",
      ". == (tojson | fromjson)", "[.. | select(type == \"number\")] | unique",
      "[nan] | sort, unique, min, (. - [nan])",
      "[nan, 1] | index(nan), sort, max", "nan < nan, nan > nan, nan == nan", "[.[]? < nan]", "group_by(. == nan)",
      "@sh", "@html", "error", "try error catch .", "error(§l)", ".[]? as [$a] ?// {$a} ?// $a | [$a]",
      ". as [$a] ?// [[$b]] | if $a != null then error(\"x\") else [$a, $b] end", "[foreach §l as $x (0, 1; . + 1)]",
      "reduce §l as $x (0; ., 1)", "[foreach .[]? as [$x] (0; $x; [., $x])]", "reduce .[]? as $x (0; empty)",
      "path(foreach 1 as $x (.; .[0]?))", "getpath([0, \"a\"]) |= §m", "$__prog_args? // 1", "@json \"x\\(1 + .)\"",
      "if . then 1 elif §l then 2 end", "try (§l, error(\"x\"), §l) catch .", "[.[]? | (., 1) as $x | $x]",
      "label $f | 1, break $f, 2", "1, label $f | 2, break $f", "def f: 3; 1, f", "1, def f: 3; f, 2",
      "tojson | .[0:3]",
    ].filter { !$0.contains("__") })

  private static let general = Family(inputs: ["§v"], templates: ["§e"])

  private static let strings = Family(
    inputs: ["§u", "§s", "[§u,§s,§s]", "[§s,§x,null,true]", "{\"a\":§u,\"b\":§s}"],
    templates: [
      "length", "utf8bytelength", "explode", "explode | implode", "explode | map(. + 1) | implode", "ascii_downcase",
      "ascii_upcase", "ltrimstr(§s)", "rtrimstr(§s)", "startswith(§s)", "endswith(§s)", "split(§s)", "split(\"\")",
      "join(§s)", "join(\", \")", "contains(§s)", "inside(§u)", ".[§n:]", ".[:§n]", ".[§n:§n]", ". * §n", ". / §s",
      ". + §u", ". - §s", ". < §u", "[., §u] | sort", "[., §s, §u] | unique", "tojson", ". == (tojson | fromjson)",
      "fromjson",
      "tostring", "tonumber", "@text", "@json", "@html", "tostring | split(\"'\") | join(\"-\") | @uri", "@csv", "@tsv",
      "@sh", "@base64", "@base64 | @base64d",
      "\"<\\(.)>\"", "@json \"<\\(.)>\"", "@html \"<\\(.)>\"", "@uri \"?\\(length)\"",
      "@sh \"echo \\(.)\"", "@base64 \"\\(.)\"", "[.[]? | length]", "map(ascii_upcase)", "map(. + §s)", "add", "sort",
      "group_by(length)", "unique_by(length)", "min_by(.)", "max_by(length)", "index(\"a\")",
      "[.[]? | split(\",\")]", "has(\"a\")", "to_entries", "with_entries(.value |= tostring)", "keys", "flatten",
      "type", "map(tojson)", "map(type)", "[limit(2; .[]?)]", "[splits(\", *\")]", "ascii_downcase == ascii_upcase",
      "[.[]? | tostring]", "[.[]? | @base64]", "@text \"\\(.)\\(.)\"", "{(.): 1}", "{a: .} | .a", "[.[]? == §s]",
      "{§s: .}", ".[§s]", "getpath([§s])", "explode | length", "[.[]? as $x | $x + §s]",
    ])

  private static let patterns = Family(
    inputs: ["§w", "§w", "§u", "[§w,§w]"],
    templates: [
      "test(§p)", "test(§p; §f)", "[match(§p)]", "[match(§p; §f)]", "[match([§p, §f])]", "capture(§p)",
      "[capture(§p; §f)]", "[scan(§p)]", "[splits(§p)]", "[splits(§p; §f)]", "split(§p; §f)", "sub(§p; \"-\")",
      "sub(§p; \"[\\(.n)]\")", "gsub(§q; \"+\")", "gsub(§q; \"\\(.n)!\")", "gsub(§q; \"_\"; \"i\")",
      "[match(§p; \"g\") | .offset, .length]", "[match(§p; \"g\") | .captures | length]", "[.[]? | test(§p)]",
      "map(select(test(§p)))", "[match(§p; \"g\").string] | add", "[scan(§p) | length]", "test(\"\\\\(\")",
      "test(\"[\")",
    ])

  private static let dates = Family(
    inputs: ["§i", "§i", "\"§D\"", "[2015,2,5,§M,§M,§M,4,63]", "[§i,\"§D\"]"],
    templates: [
      "todate", "fromdate", "gmtime", "mktime", "gmtime | mktime", "strptime(\"%H:%M:%S\")", "strptime(\"%Y-%m-%d\")",
      "todate | strptime(\"%Y-%m-%dT%H\")", "gmtime | todate", "todate | fromdate",
      "strftime(\"%Y-%m-%dT%H:%M:%SZ\")", "strftime(\"%A %d %B %Y\")", "strftime(\"%j %U %w %e\")",
      "strftime(\"%I:%M %p\")", "strftime(\"%D %T\")", "strptime(\"%Y-%m-%dT%H:%M:%SZ\")",
      "strptime(\"%Y-%m-%dT%H:%M:%SZ\") | mktime", "strptime(\"%Y\")", "map(todate)", "map(fromdate)",
      "gmtime | .[0:3]", "gmtime | strftime(\"%s\") | type", "todateiso8601", "fromdateiso8601", "todate | .[0:10]",
      "gmtime | length", "mktime | todate", "[.[]? | try todate catch \"no\"]",
    ])

  private static let numbers = Family(
    inputs: ["§x", "§x", "[§x,§x,§x]"],
    templates: [
      ". + §d", ". - §d", "(-.) * §d", ". / §d", "tojson | length % §n", "7 % §n", "-.", "-(. + 1)", "[., §d] | sort",
      ". < §d",
      ". == §d", "floor", "ceil", "round", "trunc", "rint", "nearbyint", "sqrt", "fabs", "cbrt", "exp", "exp2",
      "expm1", "log", "log2", "log10", "log1p", "logb", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
      "tanh", "asinh", "acosh", "atanh", "gamma", "lgamma", "tgamma", "lgamma_r", "frexp", "modf", "significand", "j0",
      "j1", "y0", "y1", "pow(.; §n)", "pow(§n; .)", "atan2(.; §d)", "fmod(.; §d)", "drem(.; §d)", "ldexp(.; §n)",
      "scalb(.; §n)", "scalbln(.; §n)", "copysign(.; §d)", "fmin(.; §d)", "fmax(.; §d)", "fdim(.; §d)", "hypot(.; §d)",
      "fma(.; §d; §n)", "nextafter(.; §d)", "isinfinite", "isnan", "isnormal", "infinite < .", "nan < .", "tostring",
      "tojson", "@text", "\"\\(.)\"", "length", "[range(§n)]", "[range(§n; §n)]", "[range(§n; §n; §n + 3)]",
      "[range(§n; §n; -2)]", "[range(0, 1; 3, 4)]", "add", "add / length", "min", "max", "sort", "map(. * 2)",
      "map(floor) | unique", "group_by(. > 1)", "[.[]? | tostring]", "map(tojson | length % 3)", "[limit(3; .[]?)]",
      "tonumber",
      "bsearch(§d)", "index(§d)", "indices(§n)", "inside([§d])", "any(. > 1)", "all(. < 10)", "[.[§n]?]", ".[§n:§n]",
      "[limit(5; while(. < 20; . * 2 + 1))]", "[.[]?] | length | until(. > 5; . + 2)", "[limit(4; repeat(. + 1))]",
      "[limit(6; recurse(if . < 3 then . + 1 else empty end))]", ". == (tojson | fromjson)", "[., 1] | tojson",
      "-1 * .",
      "1 - -.",
      "[., -.] | sort", "{a: .} | tojson", "[.[]? - 1]", "combinations(2)", "[.[:2]? | combinations(2)?]",
    ])

  private static let places = Family(
    inputs: ["§v", "§o", "§o", "[§o,§v]"],
    templates: [
      "[path(§k)]", "[path(§k | §k)]", "[path(first(§k))]", "[path(limit(2; §k))]",
      "[path(if §l then §k else §k end)]", "[path(§k // §k)]", "[path(.. | select(type == \"number\"))]",
      "[path(getpath([\"a\", \"b\"]) | §k)]", "[path(label $f | §k, break $f)]", "[path(try error(\"x\") catch .)]",
      "[path(. as $x | §k)]",
      "[path(def f: §k; f | f)]", "[path(recurse(.[]?; . != null))]", "[path(select(.a?) | .b)]", "[path(empty)]",
      "[paths]", "[paths(type == \"number\")]", "[paths(scalars)]", "[paths(..)]", "getpath([\"a\"])",
      "getpath([\"a\", 0, \"b\"])",
      "[getpath([\"a\"], [\"b\", \"c\"])]", "[paths as $p | getpath($p)]", "setpath([\"a\", \"b\"]; §l)",
      "setpath([0]; §l)", "setpath([]; §l)", "setpath([§n]; 1)", "setpath([\"a\", §n]; 1)", "del(§k)", "del(§k, §k)",
      "del(.[0, 2])", "del(.[1:])", "del(.[:1], .[2])", "delpaths([[\"a\"], [\"b\", 0]])", "delpaths([[§n], [§n]])",
      "delpaths([])", "delpaths([[]])", "delpaths([path(§k)])", "to_entries", "with_entries(.key |= tostring)",
      "with_entries(select(.value != null))", "[tostream]", "fromstream(tostream)", "[.[]? | tostream]",
      "[1 | truncate_stream([[0], 1], [[1, 0], 2], [[1, 0]], [[1]])]",
      "fromstream(1 | truncate_stream([[0], 1], [[1, 0], 2], [[1, 0]], [[1]]))",
      "[..]", "[.. | scalars]", "[recurse(.[]?)] | length", "[recurse(.a?, .b?; . != null)]", "path(1)",
      "path(.a | tojson)",
      "[path(.a, .[0]?)]", "has(\"a\")", "has(§n)", "[.[]? | has(\"a\")?]", "map(has(0))", "in({\"a\": 1})", "keys",
      "map_values(.)", "map_values(§m)", "walk(if type == \"number\" then . + 1 else . end)",
      "walk(if type == \"array\" then sort else . end)",
      "walk(if type == \"object\" then del(.a) else . end)", "[splits(\"a\")?]", "arrays | transpose",
      "[.[]?] | transpose?",
      "flatten(§n)", "any", "all",
      "contains(§v)", "inside(§v)", "[.[]? | contains(§v)?]", ". == §v", "[., §v] | sort", "[., §v, §v] | unique",
      ". < §v", "[.[]?] | sort_by(.a?)", "[.[]?] | group_by(.a?)", "[.[]?] | unique_by(type)", "[.[]?] | min_by(.a?)",
      "[.[]?] | max_by(.a?, .b?)", "[.[]?] | sort_by(type, .a?)", "INDEX(.a?)", "INDEX(.[]?; .b?)",
      "[IN(.[]?; 1, null)]", "[.[]? | IN(1, 2)]",
      "tojson", ". == (tojson | fromjson)", "from_entries", "[.[]? | {key: tojson, value: .}] | from_entries",
      "[.[]? | {name: tojson}] | from_entries",
      "add", "[.[]?] | add", "indices(§l)", "indices([§l])", ".[[§n]]", "bsearch(§v)", "[.[§n]?]", "[.[§n:§n]?]",

    ])

  private static let updates = Family(
    inputs: ["§v", "§o", "§o"],
    templates: [
      "§k = §l", "§k = (§l, §l)", "§k |= §m", "§k += §l", "§k -= §l", "§k *= §l", "§k /= §n", "§k %= §n", "§k //= §l",
      "(§k | §k) = 1", "(§k, §k) |= [.]", "(§k | select(. != null)) |= [.]", "(.. | numbers) |= . + 1",
      "(.. | strings) |= ascii_upcase",
      "(.. | arrays) |= length", "first(§k) |= [.]", "(.a?, .[0]?) = 5", ".[§n:§n] = [§l]", ".[1:] |= map(.)",
      ".[§n:] += [1]",
      ".a[§n] = 1", ".a[1:3] = [\"x\"]", ".a.b.c = §l", ".a.b |= §m", ".[\"a\", \"b\"] = §l",
      "getpath([\"a\", \"c\"]) |= §m",
      "(if .a? then .a else .b end) = 1", "(.a // .b) = 1", "(.a | .b)? = 1", ".a = .b", ".a = (.b, .c)", ".a += .b",
      ".a += (1, 2)",
      ". = §l", ". |= §m", ". += §l", ".[] = 1", ".[] += 1", ".[]? |= §m", ".. = 1",
      ".[.a?] = 1", "limit(1; .[]?) = 7",
      "(label $f | .a, break $f, .b) = 1", "reduce §k as $x (.; .a = $x)", "to_entries |= .", "(.[] | .a?) = 3",
      ".[-1] = §l", ".[§n] |= §m",
      ".a[-1] += 1", "(.a, .a) += 1", "path(.a) as $p | setpath($p; 3)", ".a |= (.b = 1)", ".[0] |= (.[0] |= 1)",
      "(def f: .a; f) = 1",
      "recurse(.a?; . != null) = 1", "(.[] | select(type == \"number\")) += 1", "map(.a? = 1)",
      "with_entries(.value += 1)",
      "del(§k) | §k = 1", "del(.. | select(. == null))", "del(.[]? | select(. == 1))", "(§k) = null | del(§k)",
    ])

  private static let bindings = Family(
    inputs: ["§v", "§o", "[[§x,§s],[§x,§x]]", "[§o,§o]"],
    templates: [
      ". as [$a, $b] | [$b, $a]", ". as {a: $x, b: $y} | [$x, $y]", ". as {$a, b: [$c]} | [$a, $c]",
      ". as [$a, [$b]] | {$a, $b}",
      ".[] as [$a, $b] | {a: $a, b: $b}", "[.[]? as {a: $x} | $x]", ". as {\"a\": $x} | $x",
      ". as {(\"a\", \"b\"): $x} | $x",
      ". as {$a: [$b, $c]} | [$a, $b, $c]", ". as [$y] ?// $x | 1", ". as [$a] ?// $a | [$a]",
      ". as {a: $x} ?// [$x] | [$x]",
      ".[] as [$a] ?// {a: $a} ?// $a | [$a]", "[.[]? as $x | $x | §l]",
      ". as $x | [$x, §l] | . as [$y, $z] | [$z, $x == $y]",
      "reduce .[] as [$a, $b] (0; . + $a)", "reduce .[]? as {a: $x} ([]; . + [$x])", "reduce .[]? as $x (.; .)",
      "reduce (1, 2, 3) as $x (0; empty)", "reduce range(5) as $i ([]; . + [$i * 2])",
      "reduce empty as $x (3; .)",
      "[foreach .[]? as $x (0; . + 1)]", "[foreach .[]? as $x (0; . + 1; [$x, .])]",
      "[foreach .[] as [$a, $b] (null; $a; [., $b])]",
      "[foreach range(4) as $i (0; . + $i; select(. % 2 == 0))]", "[foreach (1, 2) as $x (0, 10; . + $x)]",
      "[foreach (1, 2) as $x (0; (. + $x, . - $x); .)]",
      "def f: . as $x | [$x]; f | f", "def f(g): [g]; f(.[]?)", "def f($a; $b): [$a, $b]; f(1, 2; 3, 4)",
      "def f($a): $a | a; [f(1, .)]",
      "def f(g; h): g | h; f(§l; [.])", "def f: def g: 3; [g, .]; f", "def f: 1; def f: 2; f",
      "def f: 1; def g: f; def f: 2; [f, g]",
      "def f(x): x | x; 3 | f(. * 2)",
      "def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; [limit(3; .[]?)] | length | fac",
      "def f(g): if length? > 2 then g else [.[]?, 1] | f(g) end; [f(.)] | length",
      "def d: if type == \"array\" then map(d) | 1 + (max // 0) else 0 end; d",
      "[1, 2 as $x | $x]", "1 as $x | 2 as $y | [$x, $y, §l]", "[range(3) as $x | range($x)]",
      ". as [$a, {b: $c}] | [$a, $c]",
      "[.[]?] as [$a] | $a", "{a: 1} as {a: $x} | $x + 1", "[§l as $x | §l as $y | $x == $y]",
      "[.[]? | . as {a: $x} ?// $x | $x]", "$__prog_args? // 1",
    ].filter { !$0.contains("__") })

  private static let control = Family(
    inputs: ["§v", "§o", "§x", "§u"],
    templates: [
      "[label $f | §l, break $f, 1]", "[label $f | .[]? | ., break $f]",
      "[label $a | label $b | 1, (if §l then break $a else break $b end), 2]",
      "[.[]? | label $x | if . then break $x else . end]", "try error([§l]) catch .", "try error([.]) catch .",
      "try error({a: §l}) catch .a",
      "[.[]? | try error(\"x\") catch .]", "try (1, error(\"x\"), 2) catch .", "[try (§e) catch \"c\"]", "[(§l)?]",
      "[.[]?.a?]", "[.a?, .[0]?]",
      "try error(\"\\(.)\") catch length", "(§l, §l) // §l", "(null, false) // §l", "empty // §l", "[.[]? // 3]",
      "first(.[]? // 1)", "[.a? // .b? // 2]",
      "if . then 1 elif §l then 2 else 3 end", "if §l then §l else §l end", "[if (true, null) then 1 else 2 end]",
      "if empty then 1 else 2 end",
      "(§l and §l), (§l or §l)", "[(true, false) and (true, false)]", "[(true, false) or (true, false)]", "§l | not",
      "[§e] | length",
      "first(§l, §l)", "[first(empty)]", "[limit(3; §l, §l, §l, §l)]", "nth(1; 1, §n, 2)",
      "[nth(0, 2; range(10))]", "last(§l, §l)",
      "isempty(empty)", "isempty(.[]?)", "[any(.[]?; .)]", "[all(.[]?; . != null)]", "any(§l, §l; . == 1)",
      "[until(. == 5; 5)]", "[limit(5; repeat(1))]",
      "[recurse(empty)]", "[limit(4; recurse([.]))] | length", "[while(. == 1; 2)]", "error([.])",
      "[.[]? | error([.])?]",
      "[splits(\"x\")?]", "[tojson, tostring] | unique | length", "input_line_number? // 1",
      "[range(5)] | .[2:4] = [] | length", "[§l, §l] | map(type)",
      "{a: (1, 2), b: §l}", "{a, b: (1, 2)}?", "{(\"a\", \"b\"): 1}", "{\"x\\(1 + 1)\": §l}", "{a: §l} | .a",
      "[{a: (1, 2), \"b\": (3, 4)}]", "[[§l], [§l]] | add",
      "\"\\(§l) and \\(§l)\"", "\"\\(1, 2)-\\(3, 4)\"", "[.[]?, 1] | length", "getpath([\"a\"])?", "tojson | length",
      "ascii_downcase?", "[-(§n, §n)]", "-1 - -1",
      "1, 2 | . * 10", "[1, 2 | ., 3]", "[.] | .[0] == .", "(1 | . + 1) as $x | $x", "builtins | length > 100",
      "\"a\" as $x | {$x}", "{\"a b\"}?", "{\"a\": (1 | . + 1)}",
    ].filter { !$0.contains("input_line") })

  private static let sequences = Family(
    inputs: ["[§v,§v,§v]", "[§x,§x,§s,§x]", "[[§x,§x],[§x]]", "[§o,§o,§o]"],
    templates: [
      "sort", "sort_by(§l)", "sort_by(.a?, .b?)", "group_by(type)", "group_by(§l)", "unique", "unique_by(§l)", "min",
      "max", "min_by(§l)", "max_by(§l)",
      "reverse", "add", "map(§l)", "map(select(§l))", "first", "last", "nth(1)", "[limit(2; .[])]", "flatten",
      "flatten(1)", "arrays | transpose", "[limit(20; combinations)]",
      "[combinations(2)] | length", "index(1)", "rindex(1)", "indices(1)", "indices([1])", ". - [§l]", ". + [§l]",
      ".[1:] + .[:1]", "[.[:§n], .[§n:]]",
      "[.[] | type]", "any", "all", "any(. == 1)", "all(type == \"number\")", "to_entries",
      "to_entries | from_entries?", "[keys, length]", "join(\",\")", "map(tojson) | join(\" \")",
      "@csv", "@tsv", "@sh", "@json", "inside(§v)", "contains([§l])", ". == (. | reverse | reverse)",
      "[.[] as $x | $x] == .", "(map(tojson) | sort) as $s | $s", "[range(length % 50)] | map(. * 2)",
      "[.[] | numbers]", "[.[] | strings, booleans]", "[.[] | iterables]", "[.[] | scalars]", "[.[] | values, nulls]",
      "[.[] | arrays, objects]", "map(length?)", "[.[] | finites?, normals?]",
      "bsearch(1)", "sort | bsearch(§d)", "INDEX(tojson)", "INDEX(.[]; tojson) | keys", "[IN(.[]; 1, null)]",
      "map(IN(1, null))", "map(in([0, 1])?)", "walk(.)", "tostream | tojson",
      "[tostream] | fromstream(.[])", "[.[][§n]?]", "[.[] | .[§n:]?]", "first(.[] | select(. != null))",
      "[foreach .[] as $x (0; . + 1; {i: ., $x})]", "[splits(\"a\")?]",
      "reduce .[] as $x (null; . + ($x | tojson))", "(.[0], .[1]) as $x | $x", "[.[] | . == (tojson | fromjson)]",
      "[.[1:][]?]", "del(.[0])", "del(.[§n, §n])", "del(.[§n:§n])", "[.[-1:], .[:-1]]", "getpath([§n])",
      "map(.[0]?)", "map(keys?)", "[.[] | keys_unsorted?]", "[paths]", "map(tostring) | sort",
      "map(tojson | length) | add", "map([.]) | add", "map({a: .}) | map(.a)", "map({(tojson): 1}) | add",
    ])
}
