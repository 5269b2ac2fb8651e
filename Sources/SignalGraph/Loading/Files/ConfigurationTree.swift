/// A whole configuration as it was read, before its meaning is worked out.
package struct ConfigurationTree: Sendable {
  /// In the order in which they were read.
  package let files: [SourceFile]
  /// The `server` sections, merged key by key; `nil` if there is none.
  package let server: ConfigNode?
  /// In the order in which the graphs appear.
  package let graphs: [GraphSection]
  /// The results of templates that nobody uses, to be looked at.
  let unused: [GraphSection]
}
