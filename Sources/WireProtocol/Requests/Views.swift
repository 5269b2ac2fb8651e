package import JSON

/// A request for the views of the configuration.
package struct ViewsRequest: WireRequest {
  package static let op = "views"
  package static let summary = "List the views with the visible signals that they show."

  package init() {}
}

package struct ViewsReply: Reply {
  package static let op: StaticString = "views"

  package let views: [JSONObject]

  package init(views: [JSONObject]) { self.views = views }

  package func writeMembers(to line: inout LineWriter) { line.member("views", .array(views.map { .object($0) })) }
}
