/// The introspection data of an object on the bus (`Introspect`).
package struct BusDescription {
  /// The path elements of its children.
  let children: [String]
  /// For a signal, true if its value may be set; `nil` for other objects.
  let signal: Bool?

  package var text: String {
    let nodes = children.map { "<node name=\"\($0)\"/>" }
    return Self.head + "<node>" + Self.common + (signal.map(description) ?? "") + nodes.joined() + "</node>\n"
  }

  /// The interface of signals.
  private let interface: String

  package init(children: [String], signal: Bool?, interface: String) {
    self.children = children
    self.signal = signal
    self.interface = interface
  }

  private static let head = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
    "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">

    """

  private static let common = """
    <interface name="org.freedesktop.DBus.Introspectable">\
    <method name="Introspect"><arg name="data" type="s" direction="out"/></method></interface>\
    <interface name="org.freedesktop.DBus.Peer"><method name="Ping"/>\
    <method name="GetMachineId"><arg name="machine_uuid" type="s" direction="out"/></method></interface>\
    <interface name="org.freedesktop.DBus.Properties">\
    <method name="Get"><arg name="interface" type="s" direction="in"/><arg name="property" type="s" direction="in"/>\
    <arg name="value" type="v" direction="out"/></method>\
    <method name="GetAll"><arg name="interface" type="s" direction="in"/>\
    <arg name="properties" type="a{sv}" direction="out"/></method>\
    <method name="Set"><arg name="interface" type="s" direction="in"/><arg name="property" type="s" direction="in"/>\
    <arg name="value" type="v" direction="in"/></method>\
    <signal name="PropertiesChanged"><arg name="interface" type="s"/><arg name="changed" type="a{sv}"/>\
    <arg name="invalidated" type="as"/></signal></interface>
    """

  private func description(takesValues: Bool) -> String {
    let announced = "<annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"true\"/>"
    let value = ("Value", "v", takesValues ? "readwrite" : "read")
    let properties = [value, ("Sequence", "t", "read"), ("Ended", "s", "read")]
    let described = properties.map { name, type, access in
      "<property name=\"\(name)\" type=\"\(type)\" access=\"\(access)\">\(announced)</property>"
    }
    let send = "<method name=\"Send\"><arg name=\"value\" type=\"v\" direction=\"in\"/></method>"
    return "<interface name=\"\(interface)\">" + described.joined() + (takesValues ? send : "")
      + "<signal name=\"Next\"><arg name=\"value\" type=\"v\"/><arg name=\"sequence\" type=\"t\"/></signal></interface>"
  }
}
