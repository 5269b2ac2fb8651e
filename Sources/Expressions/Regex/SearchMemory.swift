internal import COnig

/// The memory of an environment's searches, which one search uses after another.
///
/// It has the bounds of the search that runs, and the places that the last one has found.
final class SearchMemory {
  private let bounds: OpaquePointer
  private let region: UnsafeMutablePointer<OnigRegion>

  init() {
    guard let bounds = onig_new_match_param(), let region = onig_region_new() else {
      preconditionFailure("no memory for a search")
    }
    self.bounds = bounds
    self.region = region
    onig_initialize_match_param(bounds)
  }

  deinit {
    onig_free_match_param(bounds)
    onig_region_free(region, 1)
  }

  /// The number of groups of the last match, with the whole match.
  var count: Int { Int(region.pointee.num_regs) }

  /// The bytes of a group of the last match, of the whole match for 0; `nil` for an unmatched group.
  func group(_ index: Int) -> Range<Int>? {
    let start = Int(region.pointee.beg[index])
    return start < 0 ? nil : start..<Int(region.pointee.end[index])
  }

  /// Searches for a match that starts in a range of bytes, with a bounded number of retries and a bounded stack.
  ///
  /// - Returns: The library's status.
  func search(
    _ pattern: OpaquePointer, _ text: UnsafeBufferPointer<UInt8>, startingIn starts: Range<Int>, retries: Int
  ) -> Int32 {
    onig_set_retry_limit_in_search_of_match_param(bounds, UInt(retries))
    onig_set_retry_limit_in_match_of_match_param(bounds, UInt(retries))
    onig_set_match_stack_limit_size_of_match_param(bounds, UInt32(retries))
    // Even an empty string has an address.
    guard let base = text.baseAddress else { return ONIG_MISMATCH }
    return onig_search_with_param(
      OnigRegex(pattern), base, base + text.count, base + starts.lowerBound, base + starts.upperBound, region,
      ONIG_OPTION_NONE, bounds)
  }
}
