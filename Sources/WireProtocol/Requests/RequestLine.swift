/// A complete and well-formed request, which may still be refused, with its id.
package struct RequestLine: Sendable {
  package let id: RequestID?
  package let request: any WireRequest

  /// Returns the refusal of this request.
  package func refusal(_ error: WireError) -> Refusal { Refusal(id: id, op: type(of: request).op, error) }
}
