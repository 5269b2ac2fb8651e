import JSON
import TestSupport
import Testing

@testable import GraphCatalogue
@testable import GraphModel
@testable import GraphTools

struct SchemaTests {
  @Test func `the committed schema is what the declarations say`() throws {
    try Committed.expect(ConfigurationSchema.text, at: "share/signalbox/signalbox.schema.json")
  }

  @Test func `the schema is JSON, and every reference in it leads somewhere`() throws {
    var parser = JSONParser()
    let schema = try parser.value(of: Array(ConfigurationSchema.text.utf8).span)
    #expect(schema == ConfigurationSchema.value)
    guard case .object(let root) = schema, case .object(let definitions)? = root["definitions"] else {
      Issue.record("no definitions")
      return
    }
    let defined = Set(definitions.members.map { "#/definitions/\($0.key)" })
    #expect(Self.references(in: schema).subtracting(defined).isEmpty)
  }

  @Test func `a signal's keys are those that the reader knows`() {
    let beside = Catalogue.sources.flatMap(\.parameters).filter(\.isBeside).map(\.name)
    let known = Set(Catalogue.sources.map(\.name) + TraitReader.names + ["pipe"] + beside)
    #expect(Set(Self.keys(of: SignalSchema.signal)) == known)
  }

  @Test(arguments: [
    ("server", "server: {zzzzzzzz: 1}", ServerSchema.server),
    ("socket", "server: {socket: {zzzzzzzz: 1}}", ServerSchema.socket),
    ("limits", "server: {limits: {zzzzzzzz: 1}}", ServerSchema.limits),
    ("user", "server: {limits: {user: {zzzzzzzz: 1}}}", ServerSchema.user),
    ("client", "server: {limits: {client: {zzzzzzzz: 1}}}", ServerSchema.client),
    ("graph", "graphs: {g: {zzzzzzzz: 1}}", ConfigurationSchema.graph),
    ("template", "templates: {t: {signals: {}, zzzzzzzz: 1}}", ConfigurationSchema.template),
    ("durable", "graphs: {g: {durable: {zzzzzzzz: 1}}}", DurabilitySchema.settings),
    ("history", "graphs: {g: {durable: {history: {for: 1d, zzzzzzzz: 1}}}}", DurabilitySchema.history),
    ("message_ids", "graphs: {g: {durable: {message_ids: {zzzzzzzz: 1}}}}", DurabilitySchema.messageIDs),
    ("action", "graphs: {g: {actions: {a: {exec: [x], zzzzzzzz: 1}}}}", ConfigurationSchema.action),
    ("log", "server: {log: {zzzzzzzz: 1}}", ServerSchema.log),
    ("test", "graphs: {g: {signals: {a: {input: {}}}, tests: [{expect: {a: '-'}, zzzzzzzz: 1}]}}", TestSchema.test),
  ])
  func `a section's keys are those that its reader knows`(name: String, text: String, schema: JSONValue) throws {
    let error = #expect(throws: ConfigurationError.self) { try TestGraph.configuration("signalbox: 1\n\(text)\n") }
    guard case .invalid(let diagnostics)? = error, let message = diagnostics.list.first?.message,
      let list = message.split(separator: "known: ").last
    else { return }
    #expect(Set(list.split(separator: ", ").map(String.init)) == Set(Self.keys(of: schema)))
  }

  private static func keys(of schema: JSONValue) -> [String] {
    guard case .object(let object) = schema, case .object(let properties)? = object["properties"] else { return [] }
    return properties.members.map(\.key)
  }

  private static func references(in value: JSONValue) -> Set<String> {
    switch value.plain {
    case .array(let elements): return elements.reduce(into: []) { $0.formUnion(references(in: $1)) }
    case .object(let object):
      return object.members.reduce(into: []) { found, member in
        if member.key == "$ref", case .string(let name) = member.value.plain { found.insert(name) }
        found.formUnion(references(in: member.value))
      }
    default: return []
    }
  }
}
