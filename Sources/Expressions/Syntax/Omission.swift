/// The parts of jq that this language omits on purpose: those that reach outside the values of the graph.
enum Omission {
  static let modules = "modules are not supported: an expression is self-contained"

  static let variables = [
    "ENV": reason("$ENV", "expressions cannot read the environment of the daemon"),
    "__loc__": reason("$__loc__", "errors have their place"),
    "__prog_args": reason("$__prog_args", "there is no command line"),
  ]

  static let functions: [String: String] = {
    var reasons: [String: String] = [:]
    let inputs = "values come from the graph, one at a time"
    for name in ["input", "inputs", "input_line_number", "input_filename"] { reasons[name] = reason(name, inputs) }
    for name in ["debug", "stderr"] {
      reasons[name] = reason(name, "an expression has no output other than its values")
    }
    for name in ["halt", "halt_error"] { reasons[name] = reason(name, "an expression cannot end the daemon") }
    for name in ["jn", "yn"] { reasons[name] = reason(name, "the C library's time for it has no bound") }
    for name in ["env", "get_search_list", "get_jq_origin", "get_prog_origin", "modulemeta", "getenv"] {
      reasons[name] = reason(name, "expressions cannot read the environment of the daemon")
    }
    return reasons
  }()

  private static func reason(_ name: String, _ reason: String) -> String {
    "\(name) is not supported: \(reason)"
  }
}
