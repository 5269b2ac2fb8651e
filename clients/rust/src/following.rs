//! A subscription over all connections, without input or output. clients/README.md explains the state machine, which all
//! libraries have.

use crate::{Error, ErrorCode, Event, EventKind, Json, Place as Position, SubscribeOptions};
use std::collections::BTreeMap;

/// How far the values of a signal have come.
#[derive(Default)]
struct Place {
    epoch: String,
    /// The last number that came; none while all that is retained may still come.
    seq: Option<u64>,
    /// Without a value so far: the number above which none may be missing.
    floor: u64,
    ended: bool,
}

impl Place {
    fn new(epoch: &str, seq: Option<u64>, floor: u64) -> Place {
        Place { epoch: epoch.to_string(), seq, floor, ended: false }
    }

    fn base(&self) -> u64 {
        self.seq.unwrap_or(0).max(self.floor)
    }

    fn is_known(&self) -> bool {
        self.seq.is_some() || self.floor > 0
    }

    fn reach(&mut self, seq: u64) {
        self.seq = Some(self.seq.unwrap_or(0).max(seq));
    }
}

/// What becomes of a connection after a line.
pub(crate) enum Outcome {
    /// Events for the program.
    Told(Vec<Event>),
    /// Another connection may do better.
    Reconnect,
    Refused(Error),
}

pub(crate) struct Following {
    signal: String,
    options: SubscribeOptions,
    is_name: bool,
    is_thinned: bool,
    epoch: String,
    places: BTreeMap<String, Place>,
    /// The numbers in the answer, until all up to them have come: until it settles.
    reached: Option<BTreeMap<String, u64>>,
    oldest: u64,
    has_begun: bool,
    has_from: bool,
    is_resumed: bool,
    /// Whether no more events can come.
    pub is_over: bool,
    /// Whether the daemon has taken the subscription, on whatever connection.
    pub is_answered: bool,
    /// Lines to be written.
    pub output: String,
}

impl Following {
    pub fn new(signal: &str, options: SubscribeOptions) -> Following {
        let places = options.position.iter().map(|(name, place)| (name.clone(), Place::new(&place.epoch, Some(place.seq), 0)));
        Following {
            signal: signal.to_string(),
            is_name: !signal.contains('*'),
            is_thinned: options.filter.is_some() || options.every.is_some(),
            epoch: String::new(),
            has_begun: !options.position.is_empty(),
            places: places.collect(),
            options,
            reached: None,
            oldest: 0,
            has_from: false,
            is_resumed: false,
            is_over: false,
            is_answered: false,
            output: String::new(),
        }
    }

    /// Begins a connection: its first lines are then in `output`.
    pub fn greet(&mut self) {
        self.output = "{\"op\":\"hello\",\"id\":0,\"protocol\":1}\n".to_string();
        self.ask(true);
    }

    fn ask(&mut self, with_places: bool) {
        let mut fields = vec![("op", Json::from("subscribe")), ("id", 1.into()), ("signal", self.signal.as_str().into())];
        self.options.add_to(&mut fields);
        if self.options.take > 0 {
            fields.push(("take", self.options.take.into()));
        }
        let known: Vec<(&str, Position)> = self
            .places
            .iter()
            .filter_map(|(name, place)| Some((name.as_str(), Position { seq: place.seq?, epoch: place.epoch.clone() })))
            .collect();
        self.has_from = self.has_begun && with_places && !known.is_empty();
        if self.has_from && self.is_name {
            fields.push(("from", known[0].1.seq.into()));
            fields.push(("epoch", known[0].1.epoch.as_str().into()));
        } else if self.has_from {
            let places: Vec<(&str, Json)> = known.iter().map(|(name, place)| (*name, place.to_json())).collect();
            fields.push(("from", Json::object(&places)));
        } else if let (Some(replay), false) = (self.options.replay, self.has_begun) {
            fields.push(("replay", replay.into()));
        }
        self.output.push_str(&format!("{}\n", Json::object(&fields)));
    }

    /// Takes a line.
    pub fn receive(&mut self, line: &Json) -> Outcome {
        let word = |key| line.member(key).and_then(|word| word.as_str()).unwrap_or_default();
        if line.member("event").is_some() {
            let event = Event::read(line);
            // The signal has not ended; but this connection may stay open, and would tell no more of it.
            if event.kind == EventKind::Interrupted && event.reason.as_deref() == Some("restarted") {
                return Outcome::Reconnect;
            }
            return Outcome::Told(self.take_event(event));
        }
        match word("reply").as_str() {
            "error" if word("op") == "hello" => Outcome::Refused(Error::of(line)),
            "error" => self.refuse(Error::of(line)),
            "hello" => {
                self.epoch = word("epoch");
                Outcome::Told(vec![])
            }
            "subscribe" => {
                self.output.push_str("{\"op\":\"ping\",\"id\":2}\n");
                Outcome::Told(self.begin(line))
            }
            "ping" => Outcome::Told(self.settle()),
            _ => Outcome::Told(vec![]),
        }
    }

    fn begin(&mut self, line: &Json) -> Vec<Event> {
        let mut events = vec![];
        self.is_resumed = self.has_begun;
        self.has_begun = true;
        self.is_answered = true;
        let mut reached = BTreeMap::new();
        for told in line.member("signals").map_or_else(Vec::new, |signals| signals.elements()) {
            let name = told.member("signal").and_then(|name| name.as_str()).unwrap_or_default();
            let seq = told.member("seq").and_then(|seq| seq.as_u64()).unwrap_or(0);
            let epoch = told.member("epoch").or_else(|| line.member("epoch")).and_then(|epoch| epoch.as_str());
            let epoch = epoch.unwrap_or_else(|| self.epoch.clone());
            reached.insert(name.clone(), seq);
            let first = self.first_place(seq, &epoch);
            match self.places.get_mut(&name) {
                None => {
                    self.places.insert(name.clone(), first);
                    if self.is_resumed && !self.is_name {
                        events.push(Event { seq, epoch, ..Event::new(EventKind::Subscribed, &name) });
                    }
                }
                Some(place) if !self.has_from && (place.epoch != epoch || seq < place.base()) => {
                    *place = Place::new(&epoch, None, seq);
                    events.push(Event { epoch, ..Event::new(EventKind::Restarted, &name) });
                }
                Some(place) if self.is_resumed && !self.has_from && self.is_thinned && seq > place.base() => {
                    events.push(Event { last: place.base(), oldest: self.oldest, ..Event::new(EventKind::Expired, &name) });
                    // Another break must not tell it again.
                    let base = place.base();
                    place.reach(base.max(self.oldest.saturating_sub(1)));
                }
                Some(_) => {}
            }
        }
        self.places.retain(|name, place| {
            let is_there = reached.contains_key(name);
            if !is_there && !place.ended {
                let reason = Some("removed".to_string());
                events.push(Event { reason, ..Event::new(EventKind::Interrupted, name) });
            }
            is_there
        });
        self.reached = Some(reached);
        events
    }

    fn first_place(&self, seq: u64, epoch: &str) -> Place {
        match self.options.replay {
            _ if seq == 0 => Place::new(epoch, Some(0), 0),
            Some(0) => Place::new(epoch, Some(seq), 0),
            Some(replay) if !self.is_thinned && !self.is_resumed => {
                Place::new(epoch, Some(seq.saturating_sub(replay)), seq)
            }
            _ => Place::new(epoch, None, seq),
        }
    }

    fn refuse(&mut self, error: Error) -> Outcome {
        if self.has_from && matches!(error.code, ErrorCode::Expired | ErrorCode::BadRequest | ErrorCode::TooLong) {
            // Ask for all that is retained: what had come is passed over, and numbers tell what is missing.
            self.oldest = match error.details.member("epoch") {
                None => error.details.member("oldest").and_then(|oldest| oldest.as_u64()).unwrap_or(0),
                Some(_) => 0,
            };
            self.ask(false);
            return Outcome::Told(vec![]);
        }
        if matches!(
            error.code,
            ErrorCode::TooMany | ErrorCode::ShuttingDown | ErrorCode::Unavailable | ErrorCode::Storage
        ) {
            return Outcome::Reconnect;
        }
        self.is_over = true;
        let reason = match error.code {
            ErrorCode::UnknownSignal if self.is_answered => "removed",
            ErrorCode::Denied if self.is_answered => "denied",
            _ => return Outcome::Refused(error),
        };
        let reason = Some(reason.to_string());
        Outcome::Told(vec![Event { reason, ..Event::new(EventKind::Interrupted, &self.signal) }])
    }

    /// Takes note that all that was retained has come.
    fn settle(&mut self) -> Vec<Event> {
        let mut events = vec![];
        for (name, seq) in self.reached.take().unwrap_or_default() {
            if let Some(place) = self.places.get_mut(&name) {
                if place.is_known() && seq > place.base() && !self.is_thinned {
                    events.push(Event { last: place.base(), oldest: seq + 1, ..Event::new(EventKind::Expired, &name) });
                }
                place.reach(seq);
                place.floor = 0;
            }
        }
        events
    }

    fn take_event(&mut self, mut event: Event) -> Vec<Event> {
        if event.signal.is_empty() {
            return vec![];
        }
        if event.kind == EventKind::Ended {
            self.is_over = true;
            return vec![event];
        }
        let is_catching_up = self.is_resumed && self.reached.is_some();
        let epoch = &self.epoch;
        let place = self.places.entry(event.signal.clone()).or_insert_with(|| Place::new(epoch, None, 0));
        match event.kind {
            EventKind::Next => return self.take_value(event),
            EventKind::Completed | EventKind::Failed | EventKind::Interrupted => {
                // A signal has not ended with the daemon: the next one goes on with it.
                if place.ended || event.reason.as_deref() == Some("shutting_down") {
                    return vec![];
                }
                place.ended = true;
                self.is_over = self.is_name;
                if event.reason.is_some() {
                    self.places.remove(&event.signal);
                }
            }
            EventKind::Lagged => match place.seq {
                None => place.floor = 0,
                Some(seq) => {
                    place.seq = Some(seq + event.dropped);
                    if is_catching_up && seq + event.dropped <= place.floor {
                        return vec![];
                    }
                }
            },
            EventKind::Renewed if is_catching_up => {
                let reached = self.reached.as_ref().and_then(|reached| reached.get(&event.signal)).copied();
                *place = Place::new(&event.epoch, None, reached.unwrap_or(0));
                event.kind = EventKind::Restarted;
            }
            EventKind::Renewed => place.epoch = event.epoch.clone(),
            EventKind::Subscribed => {
                if event.epoch.is_empty() {
                    event.epoch = self.epoch.clone();
                }
                *place = Place::new(&event.epoch, Some(event.seq), 0);
            }
            EventKind::Alive if self.reached.is_none() => place.reach(event.seq),
            _ => {}
        }
        vec![event]
    }

    fn take_value(&mut self, mut event: Event) -> Vec<Event> {
        let mut events = vec![];
        let place = self.places.entry(event.signal.clone()).or_default();
        if place.seq.map_or(false, |seq| event.seq <= seq) {
            return events;
        }
        if !self.is_thinned && place.is_known() && event.seq > place.base() + 1 {
            let (last, oldest) = (place.base(), event.seq);
            events.push(Event { last, oldest, ..Event::new(EventKind::Expired, &event.signal) });
        }
        event.epoch = place.epoch.clone();
        *place = Place::new(&event.epoch, Some(event.seq), 0);
        events.push(event);
        if self.options.take > 0 {
            self.options.take -= 1;
            if self.options.take == 0 {
                self.is_over = true;
                let reason = Some("take".to_string());
                events.push(Event { reason, ..Event::new(EventKind::Ended, &self.signal) });
            }
        }
        events
    }
}
