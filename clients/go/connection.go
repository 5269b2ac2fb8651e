package signalbox

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"math/rand"
	"net"
	"time"
)

type object = map[string]any

// line is one that the daemon says: an event or an answer.
type line struct {
	Event
	Reply   string
	ID      *int64
	Op      string
	Signals []struct {
		Signal string
		Place
	}
	text json.RawMessage
}

// isOfConnection says whether another connection may do better.
func (e *Error) isOfConnection() bool {
	return e != nil && (e.Code == CodeTooMany || e.Code == CodeShuttingDown)
}

func encode(fields any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(fields)
	return text.Bytes(), err
}

// connection ends with its context.
type connection struct {
	net.Conn
	reader *bufio.Reader
	ctx    context.Context
	close  context.CancelFunc
}

func (c *Client) dial(ctx context.Context) (*connection, error) {
	ctx, cancel := context.WithCancel(ctx)
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", c.options.Path)
	if err != nil {
		cancel()
		return nil, err
	}
	go func() {
		<-ctx.Done()
		conn.Close()
	}()
	return &connection{Conn: conn, reader: bufio.NewReader(conn), ctx: ctx, close: cancel}, nil
}

func (c *connection) write(requests ...any) error {
	for _, request := range requests {
		text, err := encode(request)
		if err == nil {
			_, err = c.Write(text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *connection) read() (*line, error) {
	text, err := c.reader.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	l := &line{text: text[:len(text)-1]}
	return l, json.Unmarshal(text, l)
}

// during is a context that ends with the client, too.
func (c *Client) during(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-c.ctx.Done():
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// endOf says why something has ended: the client, the context, or else.
func (c *Client) endOf(ctx context.Context, other error) error {
	switch {
	case c.ctx.Err() != nil:
		return ErrClosed
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return other
}

// backoff is pauses that double, each less a random part of up to one half.
type backoff struct{ first, longest, next time.Duration }

func (c *Client) newBackoff() *backoff {
	return &backoff{c.options.Backoff, c.options.MaxBackoff, c.options.Backoff}
}

func (b *backoff) reset() { b.next = b.first }

func (b *backoff) pause(ctx context.Context) error {
	timer := time.NewTimer(b.next/2 + time.Duration(rand.Int63n(int64(b.next/2)+1)))
	defer timer.Stop()
	if b.next *= 2; b.next > b.longest {
		b.next = b.longest
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
