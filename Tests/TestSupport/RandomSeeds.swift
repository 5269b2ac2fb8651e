/// The seeds of a random test.
package enum RandomSeeds {
  /// Returns the first seeds, and further ones where the environment asks for them.
  ///
  /// Under a sanitizer, which multiplies processor time, the first seeds are a fifth as many.
  ///
  /// - Parameters:
  ///   - count: The number of seeds in each run of the tests.
  ///   - further: The environment variable with the number of further seeds.
  ///   - start: The environment variable with the first of those, which is otherwise 1001.
  package static func first(_ count: Int, further: String, from start: String? = nil) -> [Int] {
    let start = start.flatMap { TestAmount.number($0) } ?? 1001
    return Array(1...TestAmount.scaled(count)) + Array(start..<start + (TestAmount.number(further) ?? 0))
  }
}
