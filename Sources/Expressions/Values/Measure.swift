internal import JSON

/// A bounded traversal that checks a value's size and depth.
///
/// Values share their parts, so a few steps can make one that is small in memory and astronomically large in JSON: code
/// that traverses a whole value checks it here first.
struct Measure {
  private var bytesLeft: Int
  /// The approximate number of bytes compared or copied by the next traversal.
  private var work = 0
  private let depth: Int
  private let limits: ExpressionLimits

  private init(_ limits: ExpressionLimits, bytes: Int) {
    self.limits = limits
    bytesLeft = bytes
    depth = limits.depth
  }

  /// Throws for a value beyond the limits; charges its traversals.
  ///
  /// - Parameter times: the number of traversals.
  static func allow(
    _ value: JSONValue, times: Int = 1, _ environment: Environment
  ) throws(ExpressionError) {
    if let text = value.asString { return try environment.charge(bytes: text.utf8.count &* times) }
    guard value.isContainer else { return }
    let limits = environment.account.limits
    var measure = Measure(limits, bytes: limits.bytes)
    try measure.walk(value, level: 0)
    try environment.charge(bytes: measure.work &* times)
  }

  /// Throws for an output that is too large to be written, strings included.
  static func allowOutput(_ value: JSONValue, _ environment: Environment) throws(ExpressionError) {
    switch value {
    case .array, .object: if environment.account.constructions > 0 { try allow(value, environment) }
    case .string(let text): if text.utf8.count > environment.account.limits.bytes { throw Environment.tooLarge }
    default: break
    }
  }

  private mutating func take(_ bytes: Int) throws(ExpressionError) {
    bytesLeft &-= bytes
    work &+= bytes
    if bytesLeft < 0 { throw Environment.tooLarge }
  }

  private mutating func walk(_ value: JSONValue, level: Int) throws(ExpressionError) {
    switch value {
    case .string(let text): try take(text.utf8.count + 3)
    case .array(let items):
      if level >= depth { throw Environment.tooDeep }
      try take(items.count + 2)
      work &+= 32 &* items.count
      for item in items { try walk(item, level: level + 1) }
    case .object(let object):
      if level >= depth { throw Environment.tooDeep }
      if let size = object.flatTextSize {
        work &+= 128 &* object.count
        return try take(size)
      }
      let members = object.members
      try take(4 * members.count + 2)
      work &+= 128 &* members.count
      for index in members.indices {
        try take(members[index].key.utf8.count)
        switch members[index].value {
        case .null, .bool, .number: try take(1)
        default: try walk(members[index].value, level: level + 1)
        }
      }
    default: try take(1)
    }
  }
}

extension Environment {
  /// The number of arrays and objects before their depth is measured.
  private static let unmeasuredConstructions = 256

  /// Counts an array or object made of others.
  ///
  /// Past the first few its depth is measured, since values that are nested too deeply cannot even be freed on a
  /// bounded stack.
  @inline(__always)
  func constructed(_ value: @autoclosure () -> JSONValue) throws(ExpressionError) {
    try step()
    account.constructions &+= 1
    if account.constructions > Self.unmeasuredConstructions { try Measure.allow(value(), self) }
  }
}
