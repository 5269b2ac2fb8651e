internal import CCommit

/// The version of the programs, daemon and client.
///
/// This is the one place that says it: `scripts/version` reads it here.
package let programVersion = "0.1.0"

/// The commit that the programs are built from; `nil` where the build was not told.
package let programCommit: String? = {
  let commit = String(cString: built_commit())
  return commit.isEmpty ? nil : commit
}()

/// Both, as `--version` tells them: `0.1.0 (3c7d1f8b2a90)`.
package let programVersionText = programVersion + (programCommit.map { " (\($0))" } ?? "")
