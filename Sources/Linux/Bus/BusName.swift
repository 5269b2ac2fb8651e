import CSystemd

/// The rules for names and paths on D-Bus.
package enum BusName {
  /// Whether a text is the path of an object.
  package static func isPath(_ text: String) -> Bool { !text.hasZero && sd_bus_object_path_is_valid(text) > 0 }

  /// Whether a text is a name of a service, or of a connection.
  package static func isService(_ text: String) -> Bool { !text.hasZero && sd_bus_service_name_is_valid(text) > 0 }

  package static func isInterface(_ text: String) -> Bool { !text.hasZero && sd_bus_interface_name_is_valid(text) > 0 }

  /// Whether a text is the name of a method, a signal or a property.
  package static func isMember(_ text: String) -> Bool { !text.hasZero && sd_bus_member_name_is_valid(text) > 0 }
}

extension String {
  fileprivate var hasZero: Bool { utf8.contains(0) }
}
