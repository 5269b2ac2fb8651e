import GraphEngine
import Linux
import Signals

extension ContentQuery: SystemQuery {
  func follow(
    with services: SystemServices, from start: Void, _ receive: @escaping (ContentChange) -> Void
  ) throws(Errno) -> any Disposable {
    try services(FollowedFiles.self).watch(path, receive)
  }
}

extension TailQuery: SystemQuery {
  func follow(
    with services: SystemServices, from start: TailStart, _ receive: @escaping (TailEvent) -> Void
  ) throws(Errno) -> any Disposable {
    try services(FollowedFiles.self).tail(path, for: owner, from: start, receive)
  }
}

extension GlobQuery: SystemQuery {
  func follow(
    with services: SystemServices, from start: GlobStart, _ receive: @escaping (GlobEvent) -> Void
  ) throws(Errno) -> any Disposable {
    try services(FollowedFiles.self).tail(pattern: pattern, for: owner, from: start, receive)
  }
}

extension FolderQuery: SystemQuery {
  func follow(
    with services: SystemServices, from start: [FolderFile]?, _ receive: @escaping (FolderEvent) -> Void
  ) throws(Errno) -> any Disposable {
    try services(FollowedFiles.self).watch(self, from: start, receive)
  }
}
