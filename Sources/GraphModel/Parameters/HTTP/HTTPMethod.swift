/// The methods of HTTP that an action can use.
package enum HTTPMethod: String, WordParameter {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case head = "HEAD"
  case options = "OPTIONS"

  /// True if requests with this method have a body.
  var mayHaveBody: Bool {
    switch self {
    case .post, .put, .patch, .delete: true
    case .get, .head, .options: false
    }
  }
}

/// The part of an answer that is the output of a call.
package enum HTTPAnswerForm: String, WordParameter {
  case body, full
}
