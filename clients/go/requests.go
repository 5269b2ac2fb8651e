package signalbox

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"sync"
)

// pending is a request that is not answered yet.
type pending struct {
	id        int64
	text      []byte
	repeats   bool
	isWritten bool
	answer    chan answer
}

type answer struct {
	text json.RawMessage
	err  error
}

// Request sends a request as docs/protocol.md has it, and waits for its answer, the whole line. If it repeats, it is sent
// again when a connection ended before its answer, else that is ErrConnectionLost.
func (c *Client) Request(ctx context.Context, op string, fields map[string]any, repeats bool) (json.RawMessage, error) {
	c.mutex.Lock()
	c.count++
	p := &pending{id: c.count, repeats: repeats, answer: make(chan answer, 1)}
	c.mutex.Unlock()
	request := object{"op": op, "id": p.id}
	for name, value := range fields {
		request[name] = value
	}
	var text bytes.Buffer
	if err := writeLine(&text, request); err != nil {
		return nil, err
	}
	p.text = text.Bytes()
	c.mutex.Lock()
	c.pending = append(c.pending, p)
	c.mutex.Unlock()
	c.stir()
	select {
	case answer := <-p.answer:
		return answer.text, answer.err
	case <-ctx.Done():
		c.abandon(p)
		return nil, ctx.Err()
	case <-c.ctx.Done():
		return nil, ErrClosed
	}
}

func (c *Client) stir() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// abandon forgets a request that was not sent; the answer of one that was is passed over.
func (c *Client) abandon(p *pending) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	p.repeats = false
	if !p.isWritten {
		c.remove(p)
	}
}

func (c *Client) remove(p *pending) {
	for i, other := range c.pending {
		if other == p {
			c.pending = append(c.pending[:i], c.pending[i+1:]...)
			return
		}
	}
}

// serve makes a connection whenever there is something to ask.
func (c *Client) serve() {
	backoff := newBackoff(c.backoff)
	for {
		for !c.hasPending() {
			select {
			case <-c.wake:
			case <-c.ctx.Done():
				return
			}
		}
		c.serveOnce(backoff)
		c.loseWritten()
		if c.hasPending() && backoff.pause(c.ctx) != nil {
			return
		}
	}
}

func (c *Client) hasPending() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return len(c.pending) > 0
}

func (c *Client) serveOnce(backoff *backoff) {
	connection, err := net.Dial("unix", c.path)
	if err != nil {
		return
	}
	ended := make(chan struct{})
	var writer sync.WaitGroup
	writer.Add(1)
	go func() {
		defer writer.Done()
		defer connection.Close()
		for c.writePending(connection) {
			select {
			case <-c.wake:
			case <-ended:
				return
			case <-c.ctx.Done():
				return
			}
		}
	}()
	decoder := json.NewDecoder(connection)
	for {
		var text json.RawMessage
		l := &line{}
		if decoder.Decode(&text) != nil || json.Unmarshal(text, l) != nil || !c.takeAnswer(l, text, backoff) {
			break
		}
	}
	close(ended)
	connection.Close()
	writer.Wait()
}

func (c *Client) writePending(connection net.Conn) bool {
	for {
		c.mutex.Lock()
		var next *pending
		for _, p := range c.pending {
			if !p.isWritten {
				next = p
				p.isWritten = true
				break
			}
		}
		c.mutex.Unlock()
		if next == nil {
			return true
		}
		if _, err := connection.Write(next.text); err != nil {
			return false
		}
	}
}

func (c *Client) takeAnswer(l *line, text json.RawMessage, backoff *backoff) bool {
	var err error
	if l.Error != nil {
		refusal := newError(l.Error)
		if l.ID == nil && (refusal.Code == CodeTooMany || refusal.Code == CodeShuttingDown) {
			return false
		}
		err = refusal
	}
	backoff.reset()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, p := range c.pending {
		// Answers come in order, so one without an id is that of the oldest request.
		if l.ID != nil && *l.ID != p.id {
			continue
		}
		if refusal, _ := err.(*Error); refusal != nil && p.repeats && refusal.Code == CodeShuttingDown {
			break
		}
		c.remove(p)
		p.answer <- answer{append(json.RawMessage(nil), text...), err}
		break
	}
	return true
}

// loseWritten tells those that cannot be asked again, and has the others written anew.
func (c *Client) loseWritten() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	var left []*pending
	for _, p := range c.pending {
		if p.isWritten && !p.repeats {
			p.answer <- answer{nil, ErrConnectionLost}
			continue
		}
		p.isWritten = false
		left = append(left, p)
	}
	c.pending = left
}

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
	var sent Sent
	text, err := c.Request(ctx, "send", fields, messageID != "")
	if err == nil {
		err = json.Unmarshal(text, &sent)
	}
	return sent, err
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
	var held Held
	text, err := c.Request(ctx, "get", object{"signal": signal, "timestamps": true}, true)
	if err == nil {
		err = json.Unmarshal(text, &held)
	}
	return held, err
}

// ListedSignal is a signal as the client sees it.
type ListedSignal struct {
	Signal    string
	Kind      string
	Send      bool
	Subscribe bool
	Held      bool
	Doc       string
	Ended     json.RawMessage
}

// List tells the signals that the client may see, those that a pattern covers unless it is empty.
func (c *Client) List(ctx context.Context, pattern string) ([]ListedSignal, error) {
	fields := object{}
	if pattern != "" {
		fields["pattern"] = pattern
	}
	var list struct{ Signals []ListedSignal }
	text, err := c.Request(ctx, "list", fields, true)
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	return list.Signals, err
}

// Description is the declaration and the state of a signal.
type Description struct {
	Signal      string
	Kind        string
	Declaration json.RawMessage
	Upstream    []string
	Downstream  []string
	Seq         uint64
	Subscribers int
	Errors      uint64
	Dropped     uint64
	At          string
	Ended       json.RawMessage
}

// Describe tells the declaration and the state of a signal.
func (c *Client) Describe(ctx context.Context, signal string) (Description, error) {
	var description Description
	text, err := c.Request(ctx, "describe", object{"signal": signal}, true)
	if err == nil {
		err = json.Unmarshal(text, &description)
	}
	return description, err
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
	var hello Hello
	text, err := c.Request(ctx, "hello", object{"protocol": 1}, true)
	if err == nil {
		err = json.Unmarshal(text, &hello)
	}
	return hello, err
}

// Call calls an action, and hands over each output; an error of take ends the program that runs, as does the end of the
// context. A nil value gives the program no input. The call has a connection of its own.
func (c *Client) Call(ctx context.Context, action string, value any, take func(json.RawMessage) error) error {
	ctx, cancel := c.during(ctx)
	defer cancel()
	request := object{"op": "call", "id": 1, "action": action}
	if value != nil {
		request["value"] = value
	}
	var result error
	err := c.converse(ctx, []object{request}, func(l *line) ([]object, error) {
		if l.Event != "" {
			result = take(l.Value)
		} else if l.Error != nil {
			result = newError(l.Error)
		} else {
			return nil, errOver
		}
		return nil, result
	})
	switch {
	case err == errOver:
		return nil
	case ctx.Err() != nil:
		return c.reason(ctx)
	case result != nil:
		return result
	}
	return ErrConnectionLost
}
