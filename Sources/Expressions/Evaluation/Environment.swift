package import JSON

/// The variables and the clock of an evaluation, and its resource account.
///
/// One environment serves any number of evaluations, one after another; it belongs to one thread. An expression
/// evaluated from within another's sink may share it.
package final class Environment {
  /// The values of the variables, in the order of the names given to `Expression.init`.
  package var variables: [JSONValue]
  /// The time in seconds that `now` returns.
  package var now: Double
  /// The bounds of each evaluation.
  package var limits: ExpressionLimits
  /// False to make values of all inputs, even where their text suffices: for comparison.
  package var readsText = true
  /// The bound on the searches of each evaluation.
  package var searchBound = SearchBound.time(evaluation: 0)
  /// Called when the searches of an evaluation have taken too long, with the piece that ended them.
  package var onSearchCut: (_ evaluation: Int, _ piece: Int) -> Void = { _, _ in }

  // The account of the running evaluation, which alone accesses it, one access at a time.
  @exclusivity(unchecked) var account = Account()
  @exclusivity(unchecked) private var isEvaluating = false

  /// Compiled patterns, cached across evaluations.
  var patterns = RegexCache()

  /// The memory of searches; most expressions search nothing.
  private(set) lazy var searches = SearchMemory()

  /// The buffer for outputs written as text; most never are.
  private(set) lazy var text = ObjectText()

  package init(variables: [JSONValue] = [], now: Double = 0, limits: ExpressionLimits = .default) {
    self.variables = variables
    self.now = now
    self.limits = limits
  }
}

extension Environment {
  /// Opens the account of an evaluation, and returns that of the enclosing one, if any.
  @inline(__always)
  func open() -> Account? {
    let outer = isEvaluating ? account : nil
    isEvaluating = true
    account = Account(limits, searchBound)
    return outer
  }

  @inline(__always)
  func close(_ outer: Account?) {
    if let outer { account = outer } else { isEvaluating = false }
  }
}

/// The remaining steps and other resources of a running evaluation.
struct Account {
  var limits = ExpressionLimits.default
  var steps = ExpressionLimits.default.steps
  /// The bytes charged so far, besides the steps that they take.
  var bytes = 0
  /// The number of arrays and objects made so far, which bounds the increase of nesting.
  var constructions = 0
  var searchBound = SearchBound.none
  /// Nanoseconds spent searching for patterns, and the number of pieces of that.
  var searching = 0
  var pieces = 0
  /// The address of the stack when the first function was called.
  var stackBase: UInt = 0

  init() {}

  init(_ limits: ExpressionLimits, _ searchBound: SearchBound) {
    self.limits = limits
    self.searchBound = searchBound
    steps = limits.steps
  }
}

extension Environment {
  /// The cost of the last evaluation in nanoseconds, estimated from its steps and bytes, and so the same for each run.
  ///
  /// Steps beyond the limit were refused, and count no more than it.
  package var cost: Int {
    let most = account.limits.steps
    return min(most, most - account.steps) * 100 + min(most * Self.bytesPerStep, account.bytes) * 10
  }

  /// Bytes copied per step.
  static let bytesPerStep = 256

  /// Charges one step.
  @inline(__always)
  func step() throws(ExpressionError) {
    if !hasStep() { throw Self.tooManySteps }
  }

  /// Charges one step; `false` when none is left.
  @inline(__always)
  func hasStep() -> Bool {
    account.steps &-= 1
    return account.steps >= 0
  }

  /// Charges several steps.
  func step(_ count: Int) throws(ExpressionError) {
    account.steps &-= count
    if account.steps < 0 { throw Self.tooManySteps }
  }

  /// Charges the copying, comparing or traversal of a number of bytes.
  func charge(bytes: Int) throws(ExpressionError) {
    account.bytes &+= bytes
    account.steps &-= bytes / Self.bytesPerStep
    if account.steps < 0 { throw Self.tooManySteps }
  }

  /// Charges the inspection of each character of a text, which costs more than copying it.
  func charge(characters: Int) throws(ExpressionError) {
    try charge(bytes: characters &* 8)
  }

  /// Charges the look-up of a key, beyond the fixed cost.
  @inline(__always)
  func charge(key: String) throws(ExpressionError) {
    try charge(characters: key.utf8.count)
  }

  /// Charges the sorting of a number of values.
  func chargeSorting(_ count: Int) throws(ExpressionError) {
    try charge(bytes: count &* Self.levels(of: count) &* 16)
  }

  /// Charges the sorting of an object's members by their keys.
  func chargeSorting(of object: JSONObject) throws(ExpressionError) {
    try chargeSorting(object.count)
    let length = object.members.reduce(0) { $0 &+ $1.key.utf8.count }
    try charge(bytes: length &* Self.levels(of: object.count))
  }

  /// Returns the approximate number of comparisons per value when sorting.
  static func levels(of count: Int) -> Int { Int.bitWidth - max(count, 1).leadingZeroBitCount }

  /// Charges the copying or traversal of a number of values.
  func charge(values: Int) throws(ExpressionError) {
    try charge(bytes: values &* MemoryLayout<JSONValue>.stride)
  }

  /// Throws for an array beyond the size limit, and charges the copied part.
  func allow(elements: Int, copied: Int) throws(ExpressionError) {
    // Each takes at least a byte and a comma in JSON.
    try allow(bytes: 2 &* elements, copied: copied &* MemoryLayout<JSONValue>.stride)
  }

  /// Throws for a string beyond the size limit, and charges its creation, or only its copied part.
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

  /// Bytes of stack available to an evaluation: half of Linux's default for a thread.
  private static let stackSize: UInt = 4 << 20

  /// Throws when the stack is largely used; called wherever the evaluation may recurse without bound.
  func guardStack() throws(ExpressionError) {
    var marker: UInt8 = 0
    let address = unsafe withUnsafeMutablePointer(to: &marker) { UInt(bitPattern: $0) }
    if account.stackBase == 0 { account.stackBase = address }
    if account.stackBase > address, account.stackBase - address > Self.stackSize { throw Self.tooMuchRecursion }
  }
}
