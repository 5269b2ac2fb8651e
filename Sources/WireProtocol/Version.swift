internal import CCommit

/// The version of the programs, daemon and client.
///
/// This is its only source: `scripts/version` reads it here.
package let programVersion = "1.0.0"

/// The commit that the programs are built from; `nil` if the build does not know it.
package let programCommit: String? = {
  let commit = String(cString: built_commit())
  return commit.isEmpty ? nil : commit
}()

/// The version with the commit, in the output of `--version`: `1.0.0 (3c7d1f8b2a90)`.
package let programVersionText = programVersion + (programCommit.map { " (\($0))" } ?? "")
