/// A message about some bytes of the source.
struct SyntaxFault: Error {
  let message: String
  let range: Range<Int>
  var suggestion: String?
}
