internal import JSON

/// Changes of all places of an expression.
struct PlaceEditing {
  let places: any Node

  typealias Change = (inout JSONValue) throws(ExpressionError) -> Void
  /// Returns the new value of a place, or `nil` to delete the place.
  typealias Replacement = (JSONValue) throws(ExpressionError) -> JSONValue?

  /// The part of its bytes that is charged for a value that is probably not copied.
  ///
  /// Shared ownership of an array cannot be queried. The charge is high enough to end the evaluation even if each
  /// change copied, and low enough that building a value of usual size step by step stays within the bounds.
  static let ownedShare = 64

  /// Returns a copy of a value with changed places.
  func edited(_ value: JSONValue, _ frame: Frame, _ change: Change) throws(ExpressionError) -> JSONValue {
    var result = value
    try edit(&result, frame, share: 1, change)
    return result
  }

  /// Changes the places of a value that is likely to be copied only in part.
  func edit(
    _ value: inout JSONValue, _ frame: Frame, share: Int = ownedShare, _ change: Change
  ) throws(ExpressionError) {
    var previous: [JSONValue]?
    for path in try paths(in: value, frame) {
      try chargeCopies(of: value, along: path, after: previous, share: share, frame.environment)
      try PathAccess.change(&value, at: path[...], frame.environment, change)
      previous = path
    }
  }

  /// Replaces or deletes the values at the places.
  func replace(
    in value: inout JSONValue, _ frame: Frame, share: Int = ownedShare, _ replacement: Replacement
  ) throws(ExpressionError) {
    var doomed: [JSONValue] = []
    var previous: [JSONValue]?
    for path in try paths(in: value, frame) {
      let before = try PathAccess.get(value, path, frame.environment)
      guard let output = try replacement(before) else {
        doomed.append(.array(path))
        continue
      }
      try chargeCopies(of: value, along: path, after: previous, share: share, frame.environment)
      try PathAccess.change(&value, at: path[...], frame.environment) { target throws(ExpressionError) in
        target = output
      }
      previous = path
    }
    if !doomed.isEmpty { value = try PathDeletion.delete(doomed, from: value, frame.environment) }
  }

  /// All paths, computed before the first change so that the value is uniquely referenced then.
  private func paths(in value: JSONValue, _ frame: Frame) throws(ExpressionError) -> [[JSONValue]] {
    var paths: [[JSONValue]] = []
    _ = try places.paths(Located(root: value), frame) { place throws(ExpressionError) in
      try frame.environment.charge(values: place.depth)
      paths.append(try place.keys())
      return .next
    }
    return paths
  }

  /// Charges the copying of the containers along a path, except those on the previous path.
  private func chargeCopies(
    of root: JSONValue, along path: [JSONValue], after previous: [JSONValue]?, share: Int,
    _ environment: Environment
  ) throws(ExpressionError) {
    let common = previous.map { zip($0, path).prefix { $0 == $1 }.count } ?? -1
    var value = root
    for (level, key) in path.enumerated() {
      if level > common { try environment.charge(bytes: value.ownBytes / share) }
      guard value.isContainer, let child = try? Indexing.get(value, key, environment) else { return }
      value = child
    }
  }
}
