import WireProtocol

extension Dispatcher {
  /// A configuration that declares actions is refused as yet, so there is none to call.
  func call(_ request: CallRequest, _ exchange: Exchange) throws(WireError) {
    throw WireError(.unknownAction, "no action \(request.action.quoted)")
  }
}
