internal import JSON

/// The fields of a `send` that only adapters give.
///
/// It is a class so that requests, which rarely have them, are copied quickly.
package final class AdapterSendFields: Sendable {
  package let payload: String?
  package let bytes: Base64Text?
  package let details: Members?
  package let position: SourcePosition?

  init(payload: String? = nil, bytes: Base64Text? = nil, details: Members? = nil, position: SourcePosition? = nil) {
    self.payload = payload
    self.bytes = bytes
    self.details = details
    self.position = position
  }

  /// The bytes of the record, if there is one.
  package var record: [UInt8]? { payload.map { Array($0.utf8) } ?? bytes?.bytes }
  var hasRecord: Bool { payload != nil || bytes != nil }
}

extension SendRequest {
  package var payload: String? {
    get { adapterFields?.payload }
    set { set(newValue, adapterFields?.bytes, adapterFields?.details, adapterFields?.position) }
  }

  package var bytes: Base64Text? {
    get { adapterFields?.bytes }
    set { set(adapterFields?.payload, newValue, adapterFields?.details, adapterFields?.position) }
  }

  package var details: Members? {
    get { adapterFields?.details }
    set { set(adapterFields?.payload, adapterFields?.bytes, newValue, adapterFields?.position) }
  }

  package var position: SourcePosition? {
    get { adapterFields?.position }
    set { set(adapterFields?.payload, adapterFields?.bytes, adapterFields?.details, newValue) }
  }

  private mutating func set(
    _ payload: String?, _ bytes: Base64Text?, _ details: Members?, _ position: SourcePosition?
  ) {
    adapterFields = AdapterSendFields(payload: payload, bytes: bytes, details: details, position: position)
  }
}
