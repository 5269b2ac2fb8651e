use signalbox::{Client, ErrorCode, EventKind, Json, Options, SubscribeOptions};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

/// The daemon's side of a connection.
struct Peer(BufReader<UnixStream>);

impl Peer {
    fn ask(&mut self) -> Json {
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap_or(0);
        Json::parse(&line).unwrap_or_else(Json::null)
    }

    fn say(&mut self, line: &str) {
        let _ = writeln!(self.0.get_mut(), "{}", line);
    }

    fn begin(&mut self) -> Json {
        self.ask();
        let request = self.ask();
        self.say(r#"{"reply":"hello","id":0,"epoch":"e"}"#);
        self.say(r#"{"reply":"subscribe","id":1,"signals":[{"signal":"g.s","seq":0}],"epoch":"e"}"#);
        request
    }
}

type Handler = fn(&mut Peer);

/// A client of a daemon whose connections are handled by one function after the other.
fn serve(handlers: Vec<Handler>, timeout: Option<Duration>) -> Client {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::SeqCst);
    let path = std::env::temp_dir().join(format!("signalbox-{}-{}", std::process::id(), count));
    let listener = UnixListener::bind(&path).unwrap();
    let mine = path.clone();
    thread::spawn(move || {
        for handler in handlers {
            handler(&mut Peer(BufReader::new(listener.accept().unwrap().0)));
        }
        let _ = std::fs::remove_file(mine);
    });
    Client::new(Options { path, backoff: (Duration::from_millis(1), Duration::from_millis(5)), timeout })
}

fn lose(peer: &mut Peer) {
    peer.ask();
}

fn answer_send(peer: &mut Peer) {
    let id = peer.ask().member("id").unwrap();
    peer.say(&format!(r#"{{"reply":"send","id":{},"seq":7,"duplicate":true}}"#, id));
}

#[test]
fn a_message_with_an_id_is_sent_again() {
    let sent = serve(vec![lose, answer_send], None).send("g.s", &1.into(), Some("m")).unwrap();
    assert_eq!((sent.seq, sent.duplicate), (Some(7), true));
}

#[test]
fn a_daemon_that_ends_has_not_answered_it() {
    let shut_down: Handler = |peer| {
        let id = peer.ask().member("id").unwrap();
        let error = r#"{"code":"shutting_down","message":""}"#;
        peer.say(&format!(r#"{{"reply":"error","id":{},"op":"send","error":{}}}"#, id, error));
    };
    let sent = serve(vec![shut_down, answer_send], None).send("g.s", &1.into(), Some("m")).unwrap();
    assert_eq!(sent.seq, Some(7));
}

#[test]
fn a_subscription_to_a_name_is_over_with_its_signal() {
    let complete: Handler = |peer| {
        peer.begin();
        peer.say(r#"{"event":"completed","signal":"g.s"}"#);
        peer.ask();
    };
    let events = serve(vec![complete], None).subscribe("g.s", SubscribeOptions::default()).unwrap();
    let kinds: Vec<_> = events.map(|event| event.unwrap().kind).collect();
    assert_eq!(kinds, [EventKind::Completed]);
}

#[test]
fn one_without_is_not() {
    let error = serve(vec![lose], None).send("g.s", &1.into(), None).unwrap_err();
    assert_eq!(error.code, ErrorCode::ConnectionLost);
}

#[test]
fn an_answer_that_is_late_is_not_taken_for_another() {
    let late: Handler = |peer| {
        peer.ask();
        peer.ask();
    };
    let client = serve(vec![late, answer_send], Some(Duration::from_millis(50)));
    assert_eq!(client.ping().unwrap_err().code, ErrorCode::Timeout);
    assert_eq!(client.send("g.s", &1.into(), None).unwrap().seq, Some(7));
}

#[test]
fn a_subscription_goes_on_behind_the_last_value_and_tells_what_is_lost() {
    let first: Handler = |peer| {
        peer.begin();
        peer.say(r#"{"event":"next","signal":"g.s","seq":1,"value":1.10}"#);
        peer.ask();
    };
    let second: Handler = |peer| {
        peer.ask();
        let request = peer.ask();
        assert_eq!(request.member("from").unwrap().as_u64(), Some(1));
        peer.say(r#"{"reply":"hello","id":0,"epoch":"e"}"#);
        peer.say(r#"{"reply":"error","id":1,"op":"subscribe","error":{"code":"expired","message":"","oldest":4}}"#);
        peer.ask();
        peer.say(r#"{"reply":"subscribe","id":1,"signals":[{"signal":"g.s","seq":4}],"epoch":"e"}"#);
        peer.say(r#"{"event":"next","signal":"g.s","seq":4,"value":4}"#);
        peer.ask();
    };
    let client = serve(vec![first, second], None);
    let options = SubscribeOptions { take: 2, ..SubscribeOptions::default() };
    let events: Vec<_> = client.subscribe("g.s", options).unwrap().map(|event| event.unwrap()).collect();
    let kinds: Vec<_> = events.iter().map(|event| event.kind.clone()).collect();
    assert_eq!(kinds, [EventKind::Next, EventKind::Expired, EventKind::Next, EventKind::Ended]);
    assert_eq!((events[1].last, events[1].oldest, events[0].value.as_text()), (1, 4, "1.10"));
}

#[test]
fn another_thread_ends_a_subscription_that_waits() {
    let client = serve(vec![|peer| while peer.begin() != Json::null() {}], None);
    let mut subscription = client.subscribe("g.s", SubscribeOptions::default()).unwrap();
    let canceller = subscription.canceller();
    let waiting = thread::spawn(move || subscription.next().is_none());
    canceller.cancel();
    assert!(waiting.join().unwrap());
}

#[test]
fn a_refusal_has_its_code() {
    let client = serve(
        vec![|peer| {
            peer.ask();
            peer.ask();
            peer.say(r#"{"reply":"error","id":1,"op":"subscribe","error":{"code":"unknown_signal","message":"none"}}"#);
        }],
        None,
    );
    let error = client.subscribe("g.s", SubscribeOptions::default()).err().unwrap();
    assert_eq!((error.code, error.message.as_str()), (ErrorCode::UnknownSignal, "none"));
}
