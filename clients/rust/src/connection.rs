//! Lines over a Unix socket, pauses between attempts, and how another thread ends them.

use crate::{Error, Json};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufRead, BufReader, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// A random number: each `RandomState` has keys of its own.
pub(crate) fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Pauses that double from the first to the longest, each less a random part of up to one half.
pub(crate) struct Backoff {
    bounds: (Duration, Duration),
    next: Duration,
}

impl Backoff {
    pub fn new(bounds: (Duration, Duration)) -> Backoff {
        Backoff { bounds, next: bounds.0 }
    }

    pub fn reset(&mut self) {
        self.next = self.bounds.0;
    }

    fn next(&mut self) -> Duration {
        let pause = self.next;
        self.next = (pause * 2).max(Duration::from_millis(1)).min(self.bounds.1);
        pause - pause / 2 * (random() % 1000) as u32 / 1000
    }
}

#[derive(Default)]
struct State {
    is_ended: bool,
    stream: Option<UnixStream>,
}

/// Ends a subscription or a call, from any thread.
#[derive(Clone, Default)]
pub struct Canceller(Arc<(Mutex<State>, Condvar)>);

impl Canceller {
    /// Ends it: its iterator gives nothing more, and a thread that waits for it goes on.
    pub fn cancel(&self) {
        let mut state = self.state();
        state.is_ended = true;
        if let Some(stream) = state.stream.take() {
            let _ = stream.shutdown(Shutdown::Both);
        }
        self.0 .1.notify_all();
    }

    /// Whether it was ended.
    pub fn is_cancelled(&self) -> bool {
        self.state().is_ended
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0 .0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Waits for another attempt.
    pub(crate) fn pause(&self, backoff: &mut Backoff) {
        let state = self.state();
        if !state.is_ended {
            let _ = self.0 .1.wait_timeout(state, backoff.next());
        }
    }
}

/// A connection that is read line by line.
pub(crate) struct Connection {
    reader: BufReader<UnixStream>,
    canceller: Canceller,
}

impl Connection {
    pub fn open(path: &Path, canceller: &Canceller) -> io::Result<Connection> {
        let stream = UnixStream::connect(path)?;
        let mut state = canceller.state();
        if state.is_ended {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        state.stream = Some(stream.try_clone()?);
        Ok(Connection { reader: BufReader::with_capacity(65536, stream), canceller: canceller.clone() })
    }

    pub fn write(&mut self, lines: &str) -> io::Result<()> {
        self.reader.get_mut().write_all(lines.as_bytes())
    }

    /// The next line; an error at the end, and after a while without one.
    pub fn read(&mut self, timeout: Option<Duration>) -> io::Result<Json> {
        self.reader.get_ref().set_read_timeout(timeout)?;
        let mut line = String::new();
        self.reader.read_line(&mut line)?;
        if !line.ends_with('\n') {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Json::parse(&line).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.canceller.state().stream = None;
    }
}

/// Whether an error says that no answer came in time.
pub(crate) fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

/// Whether the daemon refuses the connection, not a request.
pub(crate) fn refuses_connection(line: &Json) -> bool {
    line.member("id").is_none() && line.member("error").is_some() && Error::of(line).is_of_connection()
}
