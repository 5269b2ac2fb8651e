package import JSON

/// The connection to an attached adapter, which receives its tasks and changes of what it serves.
package protocol AdapterLink: AnyObject {
  /// True while the adapter does not read its events.
  var isFull: Bool { get }

  /// Reports changes of the declarations.
  func report(_ change: DeclarationChange)

  /// Gives a task.
  func give(_ members: JSONObject)

  /// Withdraws a task.
  func cancel(_ number: UInt64)
}
