package signalbox

import (
	"context"
	"encoding/json"
)

// Sent is what became of a value that was sent.
type Sent struct {
	// Seq is the number of the last value on the signal, 0 where its own pipe let nothing through.
	Seq uint64
	// Duplicate says that the graph had this message already, and did nothing.
	Duplicate bool
}

// Send sends a value. A messageID that is not empty names the message, so that a durable graph takes it once: it is sent
// again until the daemon has answered. Without it ErrConnectionLost says that nobody knows whether it arrived.
func (c *Client) Send(ctx context.Context, signal string, value any, messageID string) (Sent, error) {
	return c.send(ctx, object{"signal": signal, "value": value}, messageID)
}

// SendValues sends several values, with no other client's value between.
func SendValues[Value any](ctx context.Context, c *Client, signal string, values []Value, messageID string) (Sent, error) {
	return c.send(ctx, object{"signal": signal, "values": values}, messageID)
}

// End ends a signal: Completed, Interrupted, or Failed with an error that has a code and a message.
func (c *Client) End(ctx context.Context, signal string, event EventKind, failure *Error, messageID string) (Sent, error) {
	fields := object{"signal": signal, "event": event}
	if failure != nil {
		fields["error"] = object{"code": failure.Code, "message": failure.Message}
	}
	return c.send(ctx, fields, messageID)
}

func (c *Client) send(ctx context.Context, fields object, messageID string) (Sent, error) {
	if messageID != "" {
		fields["message_id"] = messageID
	}
	return ask[Sent](ctx, c, "send", fields, messageID != "")
}

// Held is the value that a signal holds.
type Held struct {
	Value json.RawMessage
	Seq   uint64
	// At is when the value came.
	At string
}

// Get tells the value that a signal holds; CodeNoValue if there is none.
func (c *Client) Get(ctx context.Context, signal string) (Held, error) {
	return ask[Held](ctx, c, "get", object{"signal": signal, "timestamps": true}, true)
}

// ListedSignal is a signal as the client sees it.
type ListedSignal struct {
	Signal, Kind          string
	Send, Subscribe, Held bool
	Doc                   string
	Ended                 json.RawMessage
}

// List tells the signals that the client may see, those that a pattern covers unless it is empty.
func (c *Client) List(ctx context.Context, pattern string) ([]ListedSignal, error) {
	fields := object{}
	if pattern != "" {
		fields["pattern"] = pattern
	}
	list, err := ask[struct{ Signals []ListedSignal }](ctx, c, "list", fields, true)
	return list.Signals, err
}

// Description is the declaration and the state of a signal.
type Description struct {
	Signal, Kind         string
	Declaration          json.RawMessage
	Upstream, Downstream []string
	Seq                  uint64
	Subscribers          int
	Errors, Dropped      uint64
	At                   string
	Ended                json.RawMessage
}

// Describe tells the declaration and the state of a signal.
func (c *Client) Describe(ctx context.Context, signal string) (Description, error) {
	return ask[Description](ctx, c, "describe", object{"signal": signal}, true)
}

// Ping waits until everything that was sent before has been carried out.
func (c *Client) Ping(ctx context.Context) error {
	_, err := c.Request(ctx, "ping", nil, true)
	return err
}

// Hello is how the daemon introduces itself.
type Hello struct {
	Server       string
	Version      string
	Protocol     int
	Capabilities []string
	Epoch        string
	Generation   int
}

// Hello asks the daemon to introduce itself.
func (c *Client) Hello(ctx context.Context) (Hello, error) {
	return ask[Hello](ctx, c, "hello", object{"protocol": 1}, true)
}

func ask[Answer any](ctx context.Context, c *Client, op string, fields object, repeats bool) (answer Answer, err error) {
	text, err := c.Request(ctx, op, fields, repeats)
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	return answer, err
}

// Call calls an action, and hands over each output; an error of take ends the program that runs, as does the end of the
// context. A nil value gives the program no input. The call has a connection of its own.
func (c *Client) Call(ctx context.Context, action string, value any, take func(json.RawMessage) error) error {
	fields := object{"op": "call", "id": 1, "action": action}
	if value != nil {
		fields["value"] = value
	}
	ctx, cancel := c.during(ctx)
	defer cancel()
	conn, err := c.dial(ctx)
	if err != nil {
		return c.endOf(ctx, ErrConnectionLost)
	}
	defer conn.close()
	if err := conn.write(fields); err != nil {
		return c.endOf(ctx, ErrConnectionLost)
	}
	for {
		l, err := conn.read()
		switch {
		case err != nil:
			return c.endOf(ctx, ErrConnectionLost)
		case l.Err != nil:
			return l.Err
		case l.Kind == "":
			return nil
		}
		if err := take(l.Value); err != nil {
			return err
		}
	}
}
