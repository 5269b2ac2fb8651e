import GraphCatalogue
import GraphModel

/// A configuration file is accepted, or refused with diagnostics at places in it.
///
/// It has no access to the machine. A file that starts with `{` is parsed as JSON, any other as YAML.
enum ConfigurationTarget {
  static func run(_ bytes: [UInt8]) {
    let name = bytes.first == UInt8(ascii: "{") ? "/f.json" : "/f.yaml"
    let inputs = ConfigurationInputs(
      environment: { $0 == "HOME" ? "/root" : nil },
      readFile: { path, _ in path == name ? .success(bytes) : .failure(.missing) },
      listDirectory: { _ in .failure(.missing) })
    do throws(ConfigurationError) {
      let configuration = try Configuration.load(.alone(name), inputs: inputs)
      _ = DiagnosticRenderer.text(configuration.warnings)
    } catch {
      guard case .invalid(let diagnostics) = error else { return }
      require(!DiagnosticRenderer.text(diagnostics).isEmpty, "a refusal has a reason")
    }
  }
}
