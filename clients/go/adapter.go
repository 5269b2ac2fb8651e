package signalbox

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"
	"unicode/utf8"
)

// Declaration is a signal or an action that an adapter serves through a connection, while it runs.
type Declaration struct {
	Signal string
	// Role is source, sink or action.
	Role       string
	Kind       string
	Connection string
	Settings   json.RawMessage
	// Position is that of the last value of a source that the daemon has committed.
	Position string
}

// AdapterEvent is a *Declared, a *Task, a *Cancelled or a *Delivered.
type AdapterEvent interface{ isAdapterEvent() }

// Declared tells what an adapter has to serve, and what has changed of it.
type Declared struct {
	// Connections has the settings of all connections by their names; it is nil where they are as before.
	Connections    map[string]json.RawMessage
	Added, Changed []Declaration
	Removed        []string
	// IsNew says that Added is everything, and that all tasks of before are void: the adapter has attached.
	IsNew bool
}

// Task is work to carry out once, and to acknowledge with Done or Failed.
type Task struct {
	Number     int64 `json:"task"`
	Signal     string
	Role       string
	Connection string
	Request    json.RawMessage
	Value      json.RawMessage
	Attempt    int
	// Key is the same for each attempt of a call.
	Key string
	// Deadline is when the daemon gives it up; the zero time where it never does.
	Deadline time.Time `json:"-"`
}

// Cancelled says that the daemon waits no longer for a task.
type Cancelled struct{ Number int64 }

// Delivered says that the daemon has committed a value of a source, or why it has refused it.
type Delivered struct {
	Signal, Position string
	Err              *Error
}

func (*Declared) isAdapterEvent()  {}
func (*Task) isAdapterEvent()      {}
func (*Cancelled) isAdapterEvent() {}
func (*Delivered) isAdapterEvent() {}

// TaskError is the reason that a task or a source has failed.
type TaskError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Status  int    `json:"status,omitempty"`
	// Retry says that trying again makes sense, and After how long the peer wants to be left alone.
	Retry bool          `json:"-"`
	After time.Duration `json:"-"`
}

// Output is what came of a task, or a value of a source.
type Output struct {
	// Value is encoded as JSON, unless there is a payload: the bytes as the peer gave them.
	Value       any
	Payload     []byte
	ContentType string
	Details     any
}

// Adapter connects graphs with peers of some kinds; docs/adapters.md describes the protocol.
type Adapter struct {
	client *Client
	kinds  []string
	window int
	events chan AdapterEvent
	err    error

	mutex sync.Mutex
	conn  *connection
	count int64
	sent  map[int64]*Delivered
}

// Attach makes an adapter of some kinds, to which at most window tasks are given without being acknowledged. It attaches
// again whenever a connection was lost, until its context ends or the daemon refuses it for good.
func (c *Client) Attach(ctx context.Context, kinds []string, window int) *Adapter {
	a := &Adapter{client: c, kinds: kinds, window: window, events: make(chan AdapterEvent)}
	go a.run(ctx)
	return a
}

// Events has no buffer; it is closed at the end, for the reason that Err gives.
func (a *Adapter) Events() <-chan AdapterEvent { return a.events }

// Err is the reason that the channel is closed.
func (a *Adapter) Err() error { return a.err }

// Done acknowledges a task that was carried out; the output may be nil.
func (a *Adapter) Done(task *Task, output *Output) error {
	return a.say(output.addTo(object{"op": "acknowledge", "task": task.Number, "result": "done"}))
}

// Failed acknowledges a task that has failed.
func (a *Adapter) Failed(task *Task, reason TaskError) error {
	fields := object{
		"op": "acknowledge", "task": task.Number, "result": "failed", "error": reason, "retry": reason.Retry,
	}
	if reason.After > 0 {
		fields["after"] = reason.After.Seconds()
	}
	return a.say(fields)
}

// Send sends a value of a source. A *Delivered follows when the daemon has committed it.
func (a *Adapter) Send(signal string, value *Output, position string) error {
	fields := value.addTo(object{"op": "send", "signal": signal})
	if position != "" {
		fields["position"] = position
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.conn == nil {
		return ErrConnectionLost
	}
	a.count++
	fields["id"] = a.count
	a.sent[a.count] = &Delivered{Signal: signal, Position: position}
	return a.conn.write(fields)
}

// Fail fails a source.
func (a *Adapter) Fail(signal string, reason TaskError) error {
	return a.say(object{"op": "send", "signal": signal, "event": "failed", "error": reason})
}

// Complete ends a source.
func (a *Adapter) Complete(signal string) error {
	return a.say(object{"op": "send", "signal": signal, "event": "completed"})
}

// Report tells that a connection is there, or, with a reason, that it is away.
func (a *Adapter) Report(connection, away string) error {
	if away == "" {
		return a.say(object{"op": "report", "connection": connection, "state": "connected"})
	}
	return a.say(object{"op": "report", "connection": connection, "state": "away", "reason": away})
}

func (o *Output) addTo(fields object) object {
	switch {
	case o == nil:
		return fields
	case o.Payload == nil:
		fields["value"] = o.Value
	case utf8.Valid(o.Payload):
		fields["payload"] = string(o.Payload)
	default:
		fields["payload_base64"] = o.Payload
	}
	if o.ContentType != "" {
		fields["content_type"] = o.ContentType
	}
	if o.Details != nil {
		fields["details"] = o.Details
	}
	return fields
}

func (a *Adapter) say(fields object) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.conn == nil {
		return ErrConnectionLost
	}
	return a.conn.write(fields)
}

func (a *Adapter) run(ctx context.Context) {
	defer close(a.events)
	ctx, cancel := a.client.during(ctx)
	defer cancel()
	backoff := a.client.newBackoff()
	for {
		var refusal *Error
		err := a.serve(ctx, backoff)
		if errors.As(err, &refusal) && refusal.Code != CodeBusy && !refusal.isOfConnection() && refusal != ErrConnectionLost {
			a.err = refusal
			return
		}
		if err := backoff.pause(ctx); err != nil {
			a.err = a.client.endOf(ctx, err)
			return
		}
	}
}

// serve makes a connection, and takes what comes on it until it ends.
func (a *Adapter) serve(ctx context.Context, backoff *backoff) error {
	conn, err := a.client.dial(ctx)
	if err != nil {
		return err
	}
	defer conn.close()
	if err := conn.write(object{"op": "attach", "id": 0, "kinds": a.kinds, "window": a.window}); err != nil {
		return err
	}
	a.mutex.Lock()
	a.conn, a.count, a.sent = conn, 0, map[int64]*Delivered{}
	a.mutex.Unlock()
	defer func() {
		a.mutex.Lock()
		defer a.mutex.Unlock()
		a.conn = nil
	}()
	for {
		l, err := conn.read()
		if err != nil {
			return err
		}
		event, err := a.take(l)
		if err != nil {
			return err
		}
		backoff.reset()
		if event == nil {
			continue
		}
		select {
		case a.events <- event:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// adapterLine has the members of lines that only adapters get.
type adapterLine struct {
	Event       string
	Connections []struct {
		Connection string
		Settings   json.RawMessage
	}
	Declarations []Declaration
	Added        []Declaration
	Changed      []Declaration
	Removed      []string
	Task         int64
	Deadline     *float64
}

func (a *Adapter) take(l *line) (AdapterEvent, error) {
	var fields adapterLine
	if err := json.Unmarshal(l.text, &fields); err != nil {
		return nil, err
	}
	switch {
	case l.ID != nil && *l.ID == 0:
		if l.Err != nil {
			return nil, l.Err
		}
		return &Declared{Connections: fields.settings(), Added: fields.Declarations, IsNew: true}, nil
	case fields.Event == "declared":
		return &Declared{fields.settings(), fields.Added, fields.Changed, fields.Removed, false}, nil
	case fields.Event == "task":
		task := &Task{}
		if err := json.Unmarshal(l.text, task); err != nil {
			return nil, err
		}
		if fields.Deadline != nil {
			task.Deadline = time.Now().Add(time.Duration(*fields.Deadline * float64(time.Second)))
		}
		return task, nil
	case fields.Event == "cancel":
		return &Cancelled{fields.Task}, nil
	case l.ID != nil:
		a.mutex.Lock()
		defer a.mutex.Unlock()
		if delivered := a.sent[*l.ID]; delivered != nil {
			delete(a.sent, *l.ID)
			delivered.Err = l.Err
			return delivered, nil
		}
	}
	return nil, nil
}

func (l *adapterLine) settings() map[string]json.RawMessage {
	if l.Connections == nil {
		return nil
	}
	settings := map[string]json.RawMessage{}
	for _, connection := range l.Connections {
		settings[connection.Connection] = connection.Settings
	}
	return settings
}
