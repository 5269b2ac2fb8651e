//! The driver of the Rust library; README.md describes its language.

use signalbox::{Canceller, Client, Error, ErrorCode, Event, EventKind, Json, Options, Place, SubscribeOptions};
use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// A subscription or a call: how it is cancelled, and whether it is paused.
struct Thing {
    canceller: Mutex<Option<Canceller>>,
    state: Mutex<(bool, bool)>,
    changed: Condvar,
}

impl Thing {
    fn new() -> Arc<Thing> {
        Arc::new(Thing { canceller: Mutex::new(None), state: Mutex::new((false, false)), changed: Condvar::new() })
    }

    fn pause(&self, is_paused: bool) {
        self.state.lock().unwrap().0 = is_paused;
        self.changed.notify_all();
    }

    fn wait(&self) {
        let state = self.state.lock().unwrap();
        drop(self.changed.wait_while(state, |state| state.0).unwrap());
    }

    fn cancel(&self) {
        // What is told is told under this lock.
        self.state.lock().unwrap().1 = true;
        self.pause(false);
        if let Some(canceller) = &*self.canceller.lock().unwrap() {
            canceller.cancel();
        }
    }

    /// Tells a line, unless it was cancelled.
    fn tell(&self, members: &[(&str, Json)]) -> bool {
        let state = self.state.lock().unwrap();
        if !state.1 {
            tell(members);
        }
        !state.1
    }
}

fn tell(members: &[(&str, Json)]) {
    let mut output = std::io::stdout().lock();
    writeln!(output, "{}", Json::object(members)).unwrap();
    output.flush().unwrap();
}

fn text(line: &Json, key: &str) -> Option<String> {
    line.member(key).and_then(|value| value.as_str())
}

fn number(line: &Json, key: &str) -> Option<u64> {
    line.member(key).and_then(|value| value.as_u64())
}

fn main() {
    let mut client: Option<Arc<Client>> = None;
    let mut things: HashMap<String, Arc<Thing>> = HashMap::new();
    for line in std::io::stdin().lock().lines() {
        let line = Json::parse(&line.unwrap()).unwrap();
        let command = text(&line, "do").unwrap();
        let name = text(&line, "as").unwrap_or_default();
        match command.as_str() {
            "connect" | "close" => {
                things.drain().for_each(|(_, thing)| thing.cancel());
                if let Some(client) = client.take() {
                    client.close();
                }
                if command == "connect" {
                    let bounds = line.member("backoff").unwrap().elements();
                    let pause = |index: usize| Duration::from_millis(bounds[index].as_u64().unwrap());
                    client = Some(Arc::new(Client::new(Options {
                        path: text(&line, "socket").unwrap().into(),
                        backoff: (pause(0), pause(1)),
                        timeout: None,
                    })));
                }
                tell(&[("did", command.as_str().into())]);
            }
            "cancel" | "pause" | "resume" => {
                match command.as_str() {
                    "cancel" => things.remove(&name).unwrap().cancel(),
                    _ => things[&name].pause(command == "pause"),
                }
                tell(&[("did", command.as_str().into()), ("as", name.as_str().into())]);
            }
            _ => {
                let thing = Thing::new();
                things.insert(name.clone(), thing.clone());
                let client = client.clone().unwrap();
                std::thread::spawn(move || {
                    let failed = |error: Error| {
                        thing.tell(&[
                            ("failed", command.as_str().into()),
                            ("as", name.as_str().into()),
                            ("code", error.code.as_str().into()),
                        ])
                    };
                    match work(&client, &thing, &command, &name, &line) {
                        Ok(None) => true,
                        Ok(Some(members)) => {
                            let mut all = vec![("did", command.as_str().into()), ("as", name.as_str().into())];
                            all.extend(members);
                            thing.tell(&all)
                        }
                        Err(error) => failed(error),
                    };
                });
            }
        }
    }
    std::process::exit(0);
}

type Members = Vec<(&'static str, Json)>;

fn work(client: &Client, thing: &Thing, command: &str, name: &str, line: &Json) -> Result<Option<Members>, Error> {
    let signal = text(line, "signal").unwrap_or_default();
    let word = |answer: &Json, key| answer.member(key).unwrap_or_else(Json::null);
    Ok(Some(match command {
        "subscribe" => return subscribe(client, thing, name, &signal, line).map(|_| None),
        "send" => {
            let id = text(line, "message_id");
            let sent = if let Some(values) = line.member("values") {
                client.send_values(&signal, &values.elements(), id.as_deref())?
            } else if let Some(event) = text(line, "event") {
                client.end(&signal, event.as_str().into(), line.member("error"), id.as_deref())?
            } else {
                client.send(&signal, &line.member("value").unwrap(), id.as_deref())?
            };
            vec![("seq", sent.seq.map_or_else(Json::null, Json::from))]
        }
        "get" => {
            let (value, seq) = client.get(&signal)?;
            vec![("seq", seq.into()), ("value", value)]
        }
        "list" => {
            let signals = client.list(text(line, "pattern").as_deref())?;
            vec![("signals", Json::array(&signals.iter().map(|signal| word(signal, "signal")).collect::<Vec<_>>()))]
        }
        "describe" => vec![("kind", word(&client.describe(&signal)?, "kind"))],
        "ping" => client.ping().map(|_| vec![])?,
        "hello" => {
            let hello = client.hello()?;
            vec![("server", word(&hello, "server")), ("protocol", word(&hello, "protocol"))]
        }
        "call" => {
            let call = client.call(&text(line, "action").unwrap(), line.member("value").as_ref())?;
            *thing.canceller.lock().unwrap() = Some(call.canceller());
            for output in call {
                thing.tell(&[("as", name.into()), ("event", "next".into()), ("value", output?)]);
            }
            vec![]
        }
        other => return Err(Error { code: ErrorCode::UnknownOp, message: other.into(), details: Json::null() }),
    }))
}

fn subscribe(client: &Client, thing: &Thing, name: &str, signal: &str, line: &Json) -> Result<(), Error> {
    let duration = |key| text(line, key).and_then(|text| text.strip_suffix("ms")?.parse().ok()).map(Duration::from_millis);
    let places = line.member("position").map_or_else(Vec::new, |position| position.members());
    let mut subscription = client.subscribe(
        signal,
        SubscribeOptions {
            replay: number(line, "replay"),
            take: number(line, "take").unwrap_or(0),
            filter: text(line, "where"),
            every: duration("every"),
            heartbeat: duration("heartbeat"),
            overflow: text(line, "overflow"),
            timestamps: line.member("timestamps").is_some(),
            position: places
                .iter()
                .map(|(name, place)| {
                    let place = Place { seq: number(place, "seq").unwrap(), epoch: text(place, "epoch").unwrap() };
                    (name.clone(), place)
                })
                .collect(),
        },
    )?;
    *thing.canceller.lock().unwrap() = Some(subscription.canceller());
    thing.tell(&[("did", "subscribe".into()), ("as", name.into())]);
    loop {
        thing.wait();
        match subscription.next() {
            Some(event) => tell_event(thing, name, event?),
            None => return Ok(()),
        }
    }
}

fn tell_event(thing: &Thing, name: &str, event: Event) {
    let mut members: Vec<(&str, Json)> =
        vec![("as", name.into()), ("event", event.kind.as_str().into()), ("signal", event.signal.as_str().into())];
    match event.kind {
        EventKind::Next => members.extend([("seq", event.seq.into()), ("value", event.value)]),
        EventKind::Subscribed | EventKind::Alive => members.push(("seq", event.seq.into())),
        EventKind::Lagged => members.push(("dropped", event.dropped.into())),
        EventKind::Expired => members.extend([("from", event.last.into()), ("oldest", event.oldest.into())]),
        EventKind::Restarted | EventKind::Renewed => members.push(("epoch", event.epoch.as_str().into())),
        _ => {}
    }
    members.extend(event.error.map(|error| ("error", error.details)));
    members.extend(event.reason.as_deref().map(|reason| ("reason", reason.into())));
    members.extend(event.at.as_deref().map(|at| ("at", at.into())));
    thing.tell(&members);
}
