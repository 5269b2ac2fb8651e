//! A client of the signalbox daemon: it follows and feeds signals, and loses nothing.
//!
//! ```no_run
//! let client = signalbox::Client::new(signalbox::Options::default());
//! client.send("hello.name", &"Rust".into(), None)?;
//! for event in client.subscribe("hello.*", signalbox::SubscribeOptions::default())? {
//!     let event = event?;
//!     println!("{:?} {} {}", event.kind, event.signal, event.value);
//! }
//! # Ok::<(), signalbox::Error>(())
//! ```

mod connection;
mod following;
mod json;
mod protocol;

pub use connection::Canceller;
pub use json::Json;
pub use protocol::{ErrorCode, EventKind};

use connection::{is_timeout, random, refuses_connection, Backoff, Connection};
use following::{Following, Outcome};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The daemon's socket, if neither the program nor `$SIGNALBOX_SOCKET` names another one.
pub const DEFAULT_SOCKET: &str = "/run/signalbox/signalbox.sock";

/// A refusal, or an answer that did not come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// For programs; `ConnectionLost` and `Timeout` may come from the library, too.
    pub code: ErrorCode,
    /// For people.
    pub message: String,
    /// The whole error as the daemon wrote it, with members such as `oldest`, `status` and `errors`.
    pub details: Json,
}

impl Error {
    fn new(code: ErrorCode, message: &str) -> Error {
        Error { code, message: message.to_string(), details: Json::object(&[]) }
    }

    /// The error of a line.
    fn of(line: &Json) -> Error {
        let details = line.member("error").unwrap_or_else(|| Json::object(&[]));
        let word = |key| details.member(key).and_then(|word| word.as_str()).unwrap_or_default();
        Error { code: word("code").as_str().into(), message: word("message"), details: details.clone() }
    }

    fn lost() -> Error {
        Error::new(ErrorCode::ConnectionLost, "the connection closed before the answer")
    }

    fn is_of_connection(&self) -> bool {
        matches!(self.code, ErrorCode::TooMany | ErrorCode::ShuttingDown)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code.as_str())
    }
}

impl std::error::Error for Error {}

/// What a subscription tells. Members that its kind does not have are empty.
#[derive(Clone, Debug)]
pub struct Event {
    pub kind: EventKind,
    pub signal: String,
    /// Keep it with the epoch beside what you do with the value, and a later run of your program can go on there.
    pub seq: u64,
    pub epoch: String,
    /// `null` for events that have none.
    pub value: Json,
    /// When a value came, if that was asked for.
    pub at: Option<String>,
    /// Why a signal has failed.
    pub error: Option<Error>,
    pub reason: Option<String>,
    /// Of `Lagged`: how many values are missing here.
    pub dropped: u64,
    /// Of `Expired`: the last number that came.
    pub last: u64,
    /// Of `Expired`: the first number that is left; 0 if that cannot be known.
    pub oldest: u64,
}

impl Event {
    fn new(kind: EventKind, signal: &str) -> Event {
        Event {
            kind, signal: signal.to_string(), seq: 0, epoch: String::new(), value: Json::null(), at: None, error: None,
            reason: None, dropped: 0, last: 0, oldest: 0,
        }
    }

    fn read(line: &Json) -> Event {
        let mut event = Event::new(EventKind::Next, "");
        for (key, value) in line.members() {
            let number = || value.as_u64().unwrap_or(0);
            match key.as_str() {
                "event" => event.kind = value.as_str().unwrap_or_default().as_str().into(),
                "signal" => event.signal = value.as_str().unwrap_or_default(),
                "seq" => event.seq = number(),
                "epoch" => event.epoch = value.as_str().unwrap_or_default(),
                "value" => event.value = value,
                "at" => event.at = value.as_str(),
                "error" => event.error = Some(Error::of(line)),
                "reason" => event.reason = value.as_str(),
                "dropped" => event.dropped = number(),
                _ => {}
            }
        }
        event
    }
}

/// How far the values of a signal have come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub seq: u64,
    pub epoch: String,
}

impl Place {
    fn to_json(&self) -> Json {
        Json::object(&[("seq", self.seq.into()), ("epoch", self.epoch.as_str().into())])
    }
}

/// Which values are wanted: by default all that are retained, and then all that come.
#[derive(Clone, Debug, Default)]
pub struct SubscribeOptions {
    /// How many retained values come first.
    pub replay: Option<u64>,
    /// End after so many values, if it is not 0.
    pub take: u64,
    /// The protocol's `where`, an expression: only values for which it is true.
    pub filter: Option<String>,
    /// At most one value in that time, the newest.
    pub every: Option<Duration>,
    /// The time after which a quiet signal says `Alive`.
    pub heartbeat: Option<Duration>,
    /// What gives way when events are taken too slowly, a word of the protocol.
    pub overflow: Option<String>,
    /// Whether values tell when they came.
    pub timestamps: bool,
    /// Where to go on, from events of an earlier run, by the names of signals.
    pub position: BTreeMap<String, Place>,
}

impl SubscribeOptions {
    fn add_to(&self, fields: &mut Vec<(&str, Json)>) {
        let text = |time: Duration| Json::from(format!("{}us", time.as_micros()).as_str());
        fields.extend(self.filter.as_deref().map(|filter| ("where", filter.into())));
        fields.extend(self.every.map(|time| ("every", text(time))));
        fields.extend(self.heartbeat.map(|time| ("heartbeat", text(time))));
        fields.extend(self.overflow.as_deref().map(|overflow| ("overflow", overflow.into())));
        if self.timestamps {
            fields.push(("timestamps", true.into()));
        }
    }
}

/// How a client behaves.
#[derive(Clone, Debug)]
pub struct Options {
    /// The daemon's socket.
    pub path: PathBuf,
    /// The first and the longest pause between attempts to connect.
    pub backoff: (Duration, Duration),
    /// How long requests wait for a daemon and its answer.
    pub timeout: Option<Duration>,
}

impl Default for Options {
    fn default() -> Options {
        let path = std::env::var_os("SIGNALBOX_SOCKET").unwrap_or_else(|| DEFAULT_SOCKET.into());
        Options { path: path.into(), backoff: (Duration::from_millis(100), Duration::from_secs(10)), timeout: None }
    }
}

/// What became of a value that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The number of the last value on the signal; none where its own pipe let nothing through.
    pub seq: Option<u64>,
    /// Whether the graph had this message already, and did nothing.
    pub duplicate: bool,
}

/// A `message_id` that nobody else has.
pub fn new_message_id() -> String {
    format!("{:016x}{:016x}", random(), random())
}

/// A client of a daemon. Threads may share it; their requests then follow each other. Nothing happens before the first
/// request.
pub struct Client {
    options: Options,
    requests: Mutex<Requests>,
    canceller: Canceller,
}

struct Requests {
    connection: Option<Connection>,
    backoff: Backoff,
    count: u64,
}

impl Client {
    pub fn new(options: Options) -> Client {
        let requests = Requests { connection: None, backoff: Backoff::new(options.backoff), count: 0 };
        Client { options, requests: Mutex::new(requests), canceller: Canceller::default() }
    }

    /// Ends requests that wait, in other threads, and all that come.
    pub fn close(&self) {
        self.canceller.cancel();
    }

    /// Sends a request as docs/protocol.md has it, and gives the line that answers it. If it repeats, it is sent again when a
    /// connection ended before its answer, else that is `ConnectionLost`.
    pub fn request(&self, op: &str, fields: &[(&str, Json)], repeats: bool) -> Result<Json, Error> {
        let deadline = self.options.timeout.map(|timeout| Instant::now() + timeout);
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.count += 1;
        let id = requests.count;
        let mut all = vec![("op", Json::from(op)), ("id", id.into())];
        all.extend(fields.iter().cloned());
        let text = format!("{}\n", Json::object(&all));
        while !self.canceller.is_cancelled() {
            match self.ask(&mut requests, &text, id, deadline) {
                Ok(Some(line)) => match line.member("error") {
                    None => return Ok(line),
                    Some(_) if repeats && Error::of(&line).code == ErrorCode::ShuttingDown => {}
                    Some(_) => return Err(Error::of(&line)),
                },
                // The answer may still come: it must not be taken for that of another request.
                Err(error) if is_timeout(&error) => {
                    requests.connection = None;
                    return Err(Error::new(ErrorCode::Timeout, "no answer in time"));
                }
                Err(_) if !repeats => {
                    requests.connection = None;
                    return Err(Error::lost());
                }
                Ok(None) | Err(_) => {}
            }
            requests.connection = None;
            if deadline.map_or(false, |deadline| Instant::now() > deadline) {
                return Err(Error::new(ErrorCode::Timeout, "no daemon in time"));
            }
            self.canceller.pause(&mut requests.backoff);
        }
        Err(Error::new(ErrorCode::ConnectionLost, "the client is closed"))
    }

    /// Gives the answer; `None` if there is no connection, an error if there was one.
    fn ask(&self, requests: &mut Requests, text: &str, id: u64, deadline: Option<Instant>) -> io::Result<Option<Json>> {
        if requests.connection.is_none() {
            requests.connection = Connection::open(&self.options.path, &self.canceller).ok();
        }
        let connection = match &mut requests.connection {
            Some(connection) => connection,
            None => return Ok(None),
        };
        connection.write(text)?;
        loop {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let line = connection.read(left.map(|left| left.max(Duration::from_micros(1))))?;
            if refuses_connection(&line) {
                return Err(io::ErrorKind::ConnectionRefused.into());
            }
            requests.backoff.reset();
            if line.member("id").map_or(true, |told| told.as_u64() == Some(id)) {
                return Ok(Some(line));
            }
        }
    }

    /// Sends a value. A message id names the message, so that a durable graph takes it once: it is sent again until the
    /// daemon has answered. Without it `ConnectionLost` says that nobody knows whether it arrived.
    pub fn send(&self, signal: &str, value: &Json, message_id: Option<&str>) -> Result<Sent, Error> {
        self.send_content(signal, vec![("value", value.clone())], message_id)
    }

    /// Sends several values, with no other client's value between.
    pub fn send_values(&self, signal: &str, values: &[Json], message_id: Option<&str>) -> Result<Sent, Error> {
        self.send_content(signal, vec![("values", Json::array(values))], message_id)
    }

    /// Ends a signal: `Completed`, `Interrupted`, or `Failed` with an error `{"code": …, "message": …}`.
    pub fn end(&self, signal: &str, event: EventKind, error: Option<Json>, message_id: Option<&str>) -> Result<Sent, Error> {
        let mut content = vec![("event", Json::from(event.as_str()))];
        content.extend(error.map(|error| ("error", error)));
        self.send_content(signal, content, message_id)
    }

    fn send_content(&self, signal: &str, content: Vec<(&str, Json)>, message_id: Option<&str>) -> Result<Sent, Error> {
        let mut fields = vec![("signal", Json::from(signal))];
        fields.extend(content);
        fields.extend(message_id.map(|id| ("message_id", id.into())));
        let line = self.request("send", &fields, message_id.is_some())?;
        let duplicate = line.member("duplicate").is_some();
        Ok(Sent { seq: line.member("seq").and_then(|seq| seq.as_u64()), duplicate })
    }

    /// The value that a signal holds, and its number; `NoValue` if there is none.
    pub fn get(&self, signal: &str) -> Result<(Json, u64), Error> {
        let line = self.request("get", &[("signal", signal.into())], true)?;
        let seq = line.member("seq").and_then(|seq| seq.as_u64()).unwrap_or(0);
        Ok((line.member("value").unwrap_or_else(Json::null), seq))
    }

    /// The signals that this client may see, each as docs/protocol.md has it.
    pub fn list(&self, pattern: Option<&str>) -> Result<Vec<Json>, Error> {
        let fields: Vec<(&str, Json)> = pattern.map(|pattern| ("pattern", pattern.into())).into_iter().collect();
        Ok(self.request("list", &fields, true)?.member("signals").map_or_else(Vec::new, |signals| signals.elements()))
    }

    /// The declaration and the state of a signal, as docs/protocol.md has it.
    pub fn describe(&self, signal: &str) -> Result<Json, Error> {
        self.request("describe", &[("signal", signal.into())], true)
    }

    /// Waits until everything that was sent before has been carried out.
    pub fn ping(&self) -> Result<(), Error> {
        self.request("ping", &[], true).map(|_| ())
    }

    /// The daemon's version, its epoch and its limits, as docs/protocol.md has it.
    pub fn hello(&self) -> Result<Json, Error> {
        self.request("hello", &[("protocol", 1.into())], true)
    }

    /// Calls an action. The call has a connection of its own; dropping it ends the program that runs.
    pub fn call(&self, action: &str, value: Option<&Json>) -> Result<Call, Error> {
        let canceller = Canceller::default();
        let mut fields = vec![("op", Json::from("call")), ("id", 1.into()), ("action", action.into())];
        fields.extend(value.map(|value| ("value", value.clone())));
        let begin = || -> io::Result<Connection> {
            let mut connection = Connection::open(&self.options.path, &canceller)?;
            connection.write(&format!("{}\n", Json::object(&fields)))?;
            Ok(connection)
        };
        let connection = begin().map_err(|error| Error::new(ErrorCode::ConnectionLost, &error.to_string()))?;
        Ok(Call { connection: Some(connection), canceller })
    }

    /// Subscribes to a signal or a pattern, and returns when the daemon has answered.
    pub fn subscribe(&self, signal: &str, options: SubscribeOptions) -> Result<Subscription, Error> {
        let mut subscription = Subscription {
            path: self.options.path.clone(),
            backoff: Backoff::new(self.options.backoff),
            following: Following::new(signal, options),
            events: VecDeque::new(),
            connection: None,
            canceller: Canceller::default(),
        };
        let deadline = self.options.timeout.map(|timeout| Instant::now() + timeout);
        while !subscription.following.is_answered {
            subscription.advance()?;
            if self.canceller.is_cancelled() {
                return Err(Error::new(ErrorCode::ConnectionLost, "the client is closed"));
            }
            if deadline.map_or(false, |deadline| Instant::now() > deadline) {
                return Err(Error::new(ErrorCode::Timeout, "no daemon in time"));
            }
        }
        Ok(subscription)
    }
}

/// The events of one subscription; it ends with the signal, or with `take`.
///
/// It has a connection of its own, which is read by the thread that iterates, as far as events are taken: a program that is
/// slow holds up nothing but itself. Dropping it unsubscribes.
pub struct Subscription {
    path: PathBuf,
    backoff: Backoff,
    following: Following,
    events: VecDeque<Event>,
    connection: Option<Connection>,
    canceller: Canceller,
}

impl Subscription {
    /// Ends the subscription from another thread.
    pub fn canceller(&self) -> Canceller {
        self.canceller.clone()
    }

    /// Takes the next line.
    fn advance(&mut self) -> Result<(), Error> {
        match self.read().map(|line| self.following.receive(&line)) {
            Ok(Outcome::Told(events)) => {
                self.events.extend(events);
                self.backoff.reset();
                let output = std::mem::take(&mut self.following.output);
                if self.connection.as_mut().map_or(false, |one| one.write(&output).is_ok()) {
                    return Ok(());
                }
            }
            Ok(Outcome::Refused(error)) => {
                self.following.is_over = true;
                return Err(error);
            }
            Ok(Outcome::Reconnect) | Err(_) => {}
        }
        self.connection = None;
        self.canceller.pause(&mut self.backoff);
        Ok(())
    }

    fn read(&mut self) -> io::Result<Json> {
        if self.connection.is_none() {
            let mut connection = Connection::open(&self.path, &self.canceller)?;
            self.following.greet();
            connection.write(&std::mem::take(&mut self.following.output))?;
            self.connection = Some(connection);
        }
        match &mut self.connection {
            Some(connection) => connection.read(None),
            None => Err(io::ErrorKind::NotConnected.into()),
        }
    }
}

impl Iterator for Subscription {
    type Item = Result<Event, Error>;

    fn next(&mut self) -> Option<Result<Event, Error>> {
        loop {
            if self.canceller.is_cancelled() {
                self.connection = None;
                return None;
            }
            if let Some(event) = self.events.pop_front() {
                return Some(Ok(event));
            }
            if self.following.is_over {
                self.connection = None;
                return None;
            }
            if let Err(error) = self.advance() {
                return Some(Err(error));
            }
        }
    }
}

/// The outputs of an action that runs; the iterator ends with it, with an error if it has failed.
pub struct Call {
    connection: Option<Connection>,
    canceller: Canceller,
}

impl Call {
    /// Ends the call from another thread.
    pub fn canceller(&self) -> Canceller {
        self.canceller.clone()
    }
}

impl Iterator for Call {
    type Item = Result<Json, Error>;

    fn next(&mut self) -> Option<Result<Json, Error>> {
        let answer = self.connection.as_mut()?.read(None);
        match answer {
            Ok(line) if line.member("event").is_some() => line.member("value").map(Ok),
            answer => {
                self.connection = None;
                match answer {
                    Ok(line) if line.member("error").is_some() => Some(Err(Error::of(&line))),
                    Err(_) if !self.canceller.is_cancelled() => Some(Err(Error::lost())),
                    _ => None,
                }
            }
        }
    }
}
