/// A directory that systemd creates for a service and assigns to its user (`systemd.exec(5)`).
struct ServiceFolder {
  let setting: String
  let variable: String
  let root: String

  static let all = [
    ServiceFolder(setting: "RuntimeDirectory", variable: "RUNTIME_DIRECTORY", root: "/run"),
    ServiceFolder(setting: "StateDirectory", variable: "STATE_DIRECTORY", root: "/var/lib"),
    ServiceFolder(setting: "CacheDirectory", variable: "CACHE_DIRECTORY", root: "/var/cache"),
    ServiceFolder(setting: "LogsDirectory", variable: "LOGS_DIRECTORY", root: "/var/log"),
    ServiceFolder(setting: "ConfigurationDirectory", variable: "CONFIGURATION_DIRECTORY", root: "/etc"),
  ]
}
