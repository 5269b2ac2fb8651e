package import JSON

/// The variables and the clock of an evaluation, and its account of the bounds.
///
/// One environment serves any number of evaluations, one after another; it belongs to one thread. An expression that
/// is evaluated from within another's sink may use the same one.
package final class Environment {
  /// The values of the variables, in the order in which `Expression.init` was given their names.
  package var variables: [JSONValue]
  /// The time in seconds that `now` gives.
  package var now: Double
  /// The bounds of each evaluation.
  package var limits: ExpressionLimits

  // The bounds of the running evaluation. Only the running evaluation gets at them, one access at a time.
  @exclusivity(unchecked) var account = Account()
  @exclusivity(unchecked) private var isEvaluating = false

  /// Compiled patterns, kept from one evaluation to the next.
  var patterns = RegexCache()

  /// The buffer for outputs that are written as text; most never are.
  private(set) lazy var text = ObjectText()

  package init(variables: [JSONValue] = [], now: Double = 0, limits: ExpressionLimits = .default) {
    self.variables = variables
    self.now = now
    self.limits = limits
  }
}

extension Environment {
  /// Opens the account of an evaluation, and returns that of the one around it, if there is one.
  @inline(__always)
  func open() -> Account? {
    let outer = isEvaluating ? account : nil
    isEvaluating = true
    account = Account(limits)
    return outer
  }

  @inline(__always)
  func close(_ outer: Account?) {
    if let outer { account = outer } else { isEvaluating = false }
  }
}

/// The steps and other means that a running evaluation has left.
struct Account {
  var limits = ExpressionLimits.default
  var steps = ExpressionLimits.default.steps
  /// Arrays and objects made so far: no value is nested deeper by more than their number.
  var constructions = 0
  /// Nanoseconds spent on searching for patterns.
  var searching = 0
  /// The address of the stack when the first function was called.
  var stackBase: UInt = 0

  init() {}

  init(_ limits: ExpressionLimits) {
    self.limits = limits
    steps = limits.steps
  }
}

extension Environment {
  /// Bytes that are copied for the price of one step.
  static let bytesPerStep = 256

  /// Counts one step.
  @inline(__always)
  func step() throws(ExpressionError) {
    if !hasStep() { throw Self.tooManySteps }
  }

  /// Counts one step; `false` when there is none left.
  @inline(__always)
  func hasStep() -> Bool {
    account.steps &-= 1
    return account.steps >= 0
  }

  /// Counts several steps.
  func step(_ count: Int) throws(ExpressionError) {
    account.steps &-= count
    if account.steps < 0 { throw Self.tooManySteps }
  }

  /// Counts the steps of copying, comparing or walking over a number of bytes.
  func charge(bytes: Int) throws(ExpressionError) {
    account.steps &-= bytes / Self.bytesPerStep
    if account.steps < 0 { throw Self.tooManySteps }
  }

  /// Counts the steps of looking at each character of a text, which costs more than copying it.
  func charge(characters: Int) throws(ExpressionError) {
    try charge(bytes: characters &* 8)
  }

  /// Counts the steps of looking a key up, beyond what every look-up costs.
  @inline(__always)
  func charge(key: String) throws(ExpressionError) {
    try charge(characters: key.utf8.count)
  }

  /// Counts the steps of sorting a number of values.
  func chargeSorting(_ count: Int) throws(ExpressionError) {
    try charge(bytes: count &* Self.levels(of: count) &* 16)
  }

  /// Counts the steps of sorting an object's members by their keys.
  func chargeSorting(of object: JSONObject) throws(ExpressionError) {
    try chargeSorting(object.count)
    let length = object.members.reduce(0) { $0 &+ $1.key.utf8.count }
    try charge(bytes: length &* Self.levels(of: object.count))
  }

  /// The number of times that sorting compares each of a number of values, roughly.
  static func levels(of count: Int) -> Int { Int.bitWidth - max(count, 1).leadingZeroBitCount }

  /// Counts the steps of copying or walking over a number of values.
  func charge(values: Int) throws(ExpressionError) {
    try charge(bytes: values &* MemoryLayout<JSONValue>.stride)
  }

  /// Refuses an array that would be longer than a value may be, and counts the steps of copying some of it.
  func allow(elements: Int, copied: Int) throws(ExpressionError) {
    // Each takes at least a byte and a comma when it is written.
    try allow(bytes: 2 &* elements, copied: copied &* MemoryLayout<JSONValue>.stride)
  }

  /// Refuses a string that would be longer than a value may be, and counts the steps of making it, or as much of it as
  /// is copied.
  func allow(bytes: Int, copied: Int? = nil) throws(ExpressionError) {
    if bytes > account.limits.bytes { throw Self.tooLarge }
    try charge(bytes: copied ?? bytes)
  }

  static let tooManySteps = ExpressionError(.limit, "the expression takes too many steps for this value")
  static let tooMuchSearching = ExpressionError(.limit, "the pattern takes too long for this value")
  static let tooManyRetries = ExpressionError(.limit, "the pattern takes too many retries for this value")
  static let patternTooLong = ExpressionError(.limit, "the pattern is longer than 4 KiB")
  static let tooLarge = ExpressionError(.limit, "the result is larger than a value may be")
  static let tooDeep = ExpressionError(.limit, "the result is nested deeper than a value may be")
  private static let tooMuchRecursion = ExpressionError(.limit, "the expression's functions call each other too deeply")

  /// Bytes of stack that an evaluation may use: half of what Linux gives a thread.
  private static let stackSize: UInt = 4 << 20

  /// Refuses to go on when much of the stack is used; called wherever the evaluation may recurse without end.
  func guardStack() throws(ExpressionError) {
    var marker: UInt8 = 0
    let address = unsafe withUnsafeMutablePointer(to: &marker) { UInt(bitPattern: $0) }
    if account.stackBase == 0 { account.stackBase = address }
    if account.stackBase > address, account.stackBase - address > Self.stackSize { throw Self.tooMuchRecursion }
  }
}
