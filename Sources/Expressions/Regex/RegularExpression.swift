internal import COnig

/// A compiled pattern of Oniguruma, in UTF-8 and Perl's syntax with named groups, as in jq.
///
/// It is immutable once compiled: each search has its own region and its own limits.
final class RegularExpression: @unchecked Sendable {
  private let pattern: OpaquePointer
  /// The names of the groups, from group 1 on.
  let names: [String?]
  /// True if no two groups have the same name.
  let hasDistinctNames: Bool
  /// The bytes of the pattern.
  let length: Int
  /// True if it refers to the start of the search, so that the search cannot be split into pieces.
  let isAnchoredAtStart: Bool

  private static let isReady: Bool = {
    var encodings: [OnigEncoding?] = [conig_utf8()]
    return onig_initialize(&encodings, 1) == ONIG_NORMAL
  }()

  init(_ source: String, _ options: RegexOptions) throws(ExpressionError) {
    guard Self.isReady else { throw .badValue("Regex failure: the library cannot be set up") }
    var compiled: OnigRegex?
    var info = OnigErrorInfo()
    var text = source
    let status = text.withUTF8 { bytes in
      let start = bytes.baseAddress
      return onig_new(
        &compiled, start, start.map { $0 + bytes.count }, options.bits, conig_utf8(), conig_perl_syntax(), &info)
    }
    guard status == ONIG_NORMAL, let compiled else { throw Self.failure(status, &info) }
    pattern = OpaquePointer(compiled)
    length = source.utf8.count
    isAnchoredAtStart = source.contains("\\G")
    names = Self.names(of: compiled)
    let given = names.compactMap(\.self)
    hasDistinctNames = Set(given.map { Array($0.utf8) }).count == given.count
  }

  deinit { onig_free(OnigRegex(pattern)) }

  private static func failure(_ status: Int32, _ info: UnsafeMutablePointer<OnigErrorInfo>) -> ExpressionError {
    var text = [UInt8](repeating: 0, count: Int(ONIG_MAX_ERROR_MESSAGE_LEN))
    let length = Int(conig_error_text(&text, status, info))
    return .badValue("Regex failure: \(String(decoding: text[..<length], as: UTF8.self))")
  }

  private static func names(of pattern: OnigRegex) -> [String?] {
    var names = [String?](repeating: nil, count: Int(onig_number_of_captures(pattern)))
    withUnsafeMutablePointer(to: &names) { names in
      _ = onig_foreach_name(
        pattern,
        { start, end, count, groups, _, context in
          guard let start, let end, let groups, let context else { return 0 }
          let name = String(decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
          let names = context.assumingMemoryBound(to: [String?].self)
          for index in 0..<Int(count) { names.pointee[Int(groups[index]) - 1] = name }
          return 0
        }, names)
    }
    return names
  }
}

extension RegularExpression {
  /// The outcome of a search with a limited number of retries.
  enum Outcome {
    /// The memory of the search has the places of the whole match and of its groups.
    case match
    case mismatch
    /// More retries were needed.
    case limit
    case failure(ExpressionError)
  }

  /// Searches for a match that starts in a range of bytes, with a bounded number of retries and a bounded stack.
  func search(
    _ text: UnsafeBufferPointer<UInt8>, startingIn starts: Range<Int>, retries: Int, _ memory: SearchMemory
  ) -> Outcome {
    let status = memory.search(pattern, text, startingIn: starts, retries: retries)
    switch status {
    case 0...: return .match
    case ONIG_MISMATCH: return .mismatch
    case ONIGERR_RETRY_LIMIT_IN_SEARCH_OVER, ONIGERR_RETRY_LIMIT_IN_MATCH_OVER, ONIGERR_MATCH_STACK_LIMIT_OVER:
      return .limit
    default:
      var info = OnigErrorInfo()
      return .failure(Self.failure(status, &info))
    }
  }
}
