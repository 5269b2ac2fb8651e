/// A whole configuration as a syntax tree, before interpretation.
package struct ConfigurationTree: Sendable {
  /// In the order of reading.
  package let files: [SourceFile]
  /// The `server` sections, merged key by key; `nil` if there is none.
  package let server: ConfigNode?
  /// In the order of first appearance.
  package let graphs: [GraphSection]
  /// The views of all files, in the order of reading, then the parts of templates.
  package let views: [ViewPart]
  /// The expansions of unused templates, to be checked.
  package let unused: [GraphSection]
  package let unusedViews: [ViewPart]
}
