//! Made by clients/generate; do not edit.

/// The kind of an error; it never changes its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorCode {
    /// The protocol’s `bad_json`.
    BadJson,
    /// The protocol’s `bad_request`.
    BadRequest,
    /// The protocol’s `unknown_op`.
    UnknownOp,
    /// The protocol’s `unknown_signal`.
    UnknownSignal,
    /// The protocol’s `unknown_action`.
    UnknownAction,
    /// The protocol’s `not_an_input`.
    NotAnInput,
    /// The protocol’s `bad_value`.
    BadValue,
    /// The protocol’s `ended`.
    Ended,
    /// The protocol’s `already_subscribed`.
    AlreadySubscribed,
    /// The protocol’s `not_subscribed`.
    NotSubscribed,
    /// The protocol’s `no_value`.
    NoValue,
    /// The protocol’s `unknown_graph`.
    UnknownGraph,
    /// The protocol’s `bad_config`.
    BadConfig,
    /// The protocol’s `failed`.
    Failed,
    /// The protocol’s `denied`.
    Denied,
    /// The protocol’s `disabled`.
    Disabled,
    /// The protocol’s `busy`.
    Busy,
    /// The protocol’s `too_long`.
    TooLong,
    /// The protocol’s `too_deep`.
    TooDeep,
    /// The protocol’s `too_many`.
    TooMany,
    /// The protocol’s `expired`.
    Expired,
    /// The protocol’s `timeout`.
    Timeout,
    /// The protocol’s `storage`.
    Storage,
    /// The protocol’s `unavailable`.
    Unavailable,
    /// The protocol’s `http`.
    Http,
    /// The protocol’s `connect`.
    Connect,
    /// The protocol’s `tls`.
    Tls,
    /// The protocol’s `too_large`.
    TooLarge,
    /// The protocol’s `shutting_down`.
    ShuttingDown,
    /// The protocol’s `restarted`.
    Restarted,
    /// The protocol’s `internal`.
    Internal,
    /// Of the library: the connection closed before the answer.
    ConnectionLost,
    /// One that this version does not know.
    Other(String),
}

impl ErrorCode {
    /// The word of the protocol.
    pub fn as_str(&self) -> &str {
        match self {
            ErrorCode::BadJson => "bad_json",
            ErrorCode::BadRequest => "bad_request",
            ErrorCode::UnknownOp => "unknown_op",
            ErrorCode::UnknownSignal => "unknown_signal",
            ErrorCode::UnknownAction => "unknown_action",
            ErrorCode::NotAnInput => "not_an_input",
            ErrorCode::BadValue => "bad_value",
            ErrorCode::Ended => "ended",
            ErrorCode::AlreadySubscribed => "already_subscribed",
            ErrorCode::NotSubscribed => "not_subscribed",
            ErrorCode::NoValue => "no_value",
            ErrorCode::UnknownGraph => "unknown_graph",
            ErrorCode::BadConfig => "bad_config",
            ErrorCode::Failed => "failed",
            ErrorCode::Denied => "denied",
            ErrorCode::Disabled => "disabled",
            ErrorCode::Busy => "busy",
            ErrorCode::TooLong => "too_long",
            ErrorCode::TooDeep => "too_deep",
            ErrorCode::TooMany => "too_many",
            ErrorCode::Expired => "expired",
            ErrorCode::Timeout => "timeout",
            ErrorCode::Storage => "storage",
            ErrorCode::Unavailable => "unavailable",
            ErrorCode::Http => "http",
            ErrorCode::Connect => "connect",
            ErrorCode::Tls => "tls",
            ErrorCode::TooLarge => "too_large",
            ErrorCode::ShuttingDown => "shutting_down",
            ErrorCode::Restarted => "restarted",
            ErrorCode::Internal => "internal",
            ErrorCode::ConnectionLost => "connection_lost",
            ErrorCode::Other(word) => word,
        }
    }
}

impl From<&str> for ErrorCode {
    fn from(word: &str) -> Self {
        match word {
            "bad_json" => ErrorCode::BadJson,
            "bad_request" => ErrorCode::BadRequest,
            "unknown_op" => ErrorCode::UnknownOp,
            "unknown_signal" => ErrorCode::UnknownSignal,
            "unknown_action" => ErrorCode::UnknownAction,
            "not_an_input" => ErrorCode::NotAnInput,
            "bad_value" => ErrorCode::BadValue,
            "ended" => ErrorCode::Ended,
            "already_subscribed" => ErrorCode::AlreadySubscribed,
            "not_subscribed" => ErrorCode::NotSubscribed,
            "no_value" => ErrorCode::NoValue,
            "unknown_graph" => ErrorCode::UnknownGraph,
            "bad_config" => ErrorCode::BadConfig,
            "failed" => ErrorCode::Failed,
            "denied" => ErrorCode::Denied,
            "disabled" => ErrorCode::Disabled,
            "busy" => ErrorCode::Busy,
            "too_long" => ErrorCode::TooLong,
            "too_deep" => ErrorCode::TooDeep,
            "too_many" => ErrorCode::TooMany,
            "expired" => ErrorCode::Expired,
            "timeout" => ErrorCode::Timeout,
            "storage" => ErrorCode::Storage,
            "unavailable" => ErrorCode::Unavailable,
            "http" => ErrorCode::Http,
            "connect" => ErrorCode::Connect,
            "tls" => ErrorCode::Tls,
            "too_large" => ErrorCode::TooLarge,
            "shutting_down" => ErrorCode::ShuttingDown,
            "restarted" => ErrorCode::Restarted,
            "internal" => ErrorCode::Internal,
            "connection_lost" => ErrorCode::ConnectionLost,
            _ => ErrorCode::Other(word.to_string()),
        }
    }
}

/// The kind of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventKind {
    /// A value.
    Next,
    /// The signal has ended.
    Completed,
    /// The signal has ended with an error.
    Failed,
    /// The signal has already ended its time.
    Interrupted,
    /// This many values are missing here, because the client read too slowly or they are not retained.
    Lagged,
    /// The numbers go on in another epoch.
    Renewed,
    /// The pattern now covers this signal.
    Subscribed,
    /// The subscription has had its take.
    Ended,
    /// The signal was quiet for the subscription's heartbeat.
    Alive,
    /// Values are lost: they were no longer retained when the connection was back.
    Expired,
    /// The numbers begin anew: the daemon was restarted, and what it had not kept is lost.
    Restarted,
    /// One that this version does not know.
    Other(String),
}

impl EventKind {
    /// The word of the protocol.
    pub fn as_str(&self) -> &str {
        match self {
            EventKind::Next => "next",
            EventKind::Completed => "completed",
            EventKind::Failed => "failed",
            EventKind::Interrupted => "interrupted",
            EventKind::Lagged => "lagged",
            EventKind::Renewed => "renewed",
            EventKind::Subscribed => "subscribed",
            EventKind::Ended => "ended",
            EventKind::Alive => "alive",
            EventKind::Expired => "expired",
            EventKind::Restarted => "restarted",
            EventKind::Other(word) => word,
        }
    }
}

impl From<&str> for EventKind {
    fn from(word: &str) -> Self {
        match word {
            "next" => EventKind::Next,
            "completed" => EventKind::Completed,
            "failed" => EventKind::Failed,
            "interrupted" => EventKind::Interrupted,
            "lagged" => EventKind::Lagged,
            "renewed" => EventKind::Renewed,
            "subscribed" => EventKind::Subscribed,
            "ended" => EventKind::Ended,
            "alive" => EventKind::Alive,
            "expired" => EventKind::Expired,
            "restarted" => EventKind::Restarted,
            _ => EventKind::Other(word.to_string()),
        }
    }
}
