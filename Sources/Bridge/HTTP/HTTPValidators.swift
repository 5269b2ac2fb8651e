internal import JSON

/// The validators of a response, for the next conditional request; the daemon keeps them as the position.
struct HTTPValidators: Equatable {
  private let tag: String?
  private let modified: String?

  init(_ head: TransferHead) {
    tag = head.header("etag")
    modified = head.header("last-modified")
  }

  /// Reads a position; one that is none of this kind has no marks.
  init(position: String?) {
    guard let position, case .object(let object)? = RawJSON(checking: Array(position.utf8), isOutlined: false)?.value
    else {
      (tag, modified) = (nil, nil)
      return
    }
    (tag, modified) = (object.string("etag"), object.string("modified"))
  }

  /// The position; `nil` where the answer has no marks.
  var position: String? {
    var object = JSONObject()
    if let tag { object["etag"] = .string(tag) }
    if let modified { object["modified"] = .string(modified) }
    return object.isEmpty ? nil : JSONValue.object(object).description
  }

  /// Sets the headers of a request.
  func set(on headers: inout HTTPHeaders) throws(TaskFailure) {
    if let tag { try headers.set("If-None-Match", tag) }
    if let modified { try headers.set("If-Modified-Since", modified) }
  }
}
