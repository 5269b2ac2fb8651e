import CSystemd

/// Validation of names and paths on D-Bus.
package enum BusName {
  /// Validates an object path.
  package static func isPath(_ text: String) -> Bool { !text.hasZero && sd_bus_object_path_is_valid(text) > 0 }

  /// Validates a service or connection name.
  package static func isService(_ text: String) -> Bool { !text.hasZero && sd_bus_service_name_is_valid(text) > 0 }

  package static func isInterface(_ text: String) -> Bool { !text.hasZero && sd_bus_interface_name_is_valid(text) > 0 }

  /// Validates the name of a method, a signal or a property.
  package static func isMember(_ text: String) -> Bool { !text.hasZero && sd_bus_member_name_is_valid(text) > 0 }
}

extension String {
  fileprivate var hasZero: Bool { utf8.contains(0) }
}
