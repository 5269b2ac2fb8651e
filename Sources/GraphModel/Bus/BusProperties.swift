/// Properties of an object that are watched together; those that change in one message form one event.
package struct BusProperties: Hashable, Sendable {
  /// Some properties of one of the object's interfaces.
  package struct Group: Hashable, Sendable {
    package let interface: String
    package let properties: [String]

    package init(interface: String, properties: [String]) {
      self.interface = interface
      self.properties = properties
    }
  }

  package let object: BusObject
  package let groups: [Group]
  /// The interval of reading them, in addition to announcements.
  package let interval: Duration?
  /// True if the service is started when it does not run.
  package let activates: Bool
  package let bytes: BusBytes

  package init(
    of object: BusObject, _ groups: [Group], every interval: Duration? = nil, activates: Bool = false,
    bytes: BusBytes = .numbers
  ) {
    self.object = object
    self.groups = groups
    self.interval = interval
    self.activates = activates
    self.bytes = bytes
  }
}
