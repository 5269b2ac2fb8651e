/// The labels of a metric for the keys of `group_by`, by the form of their expressions.
enum KeyLabels {
  /// The operators with a memory that emit values unchanged and at once.
  private static let passing: Set = ["skip_repeats", "unique"]

  /// Returns a name for each `group_by` whose values a pipe emits one by one, from the outermost.
  ///
  /// A value that later operators make from several has no key, so these have to treat each value by itself.
  static func names(of pipe: [any PreparedOperator]) -> [String] {
    var names: [String] = []
    var pipe = pipe
    while let (key, within) = lastGrouping(of: pipe) {
      names.append(name(of: key, after: names))
      pipe = within
    }
    return names
  }

  private static func lastGrouping(
    of pipe: [any PreparedOperator]
  ) -> (key: GraphExpression, within: [any PreparedOperator])? {
    for step in pipe.reversed() {
      if let key = step.groupingKey { return (key, step.steps) }
      guard step.dependence == .event || passing.contains(step.name) else { return nil }
    }
    return nil
  }

  /// Returns the name of the member that is the key, such as `room` for `.room`, or `key`.
  private static func name(of key: GraphExpression, after others: [String]) -> String {
    let members = key.source.split(separator: ".", omittingEmptySubsequences: false)
    let isPath = members.count > 1 && members[0].isEmpty && members.dropFirst().allSatisfy { isMember($0) }
    let name = isPath ? String(members.last ?? "key") : "key"
    let isFree = !name.hasPrefix("__") && !["le", "quantile"].contains(name) && !others.contains(name)
    if isFree { return name }
    return others.contains("key") ? "key\(others.count + 1)" : "key"
  }

  private static func isMember(_ text: Substring) -> Bool { MetricDeclaration.isLabel(String(text)) }
}
