// Package signalbox is a client of the signalbox daemon: it follows and feeds signals, and loses nothing.
package signalbox

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	mathrand "math/rand"
	"net"
	"os"
	"sync"
	"time"
)

// DefaultSocket is the daemon's socket, if neither the program nor $SIGNALBOX_SOCKET names another one.
const DefaultSocket = "/run/signalbox/signalbox.sock"

// Error is a refusal. Its code is for programs, the message for people.
type Error struct {
	Code    ErrorCode
	Message string
	// Details is the whole error as the daemon wrote it, with members such as oldest, status and errors.
	Details json.RawMessage
}

func (e *Error) Error() string { return e.Message + " (" + string(e.Code) + ")" }

// Is makes errors.Is compare codes.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Code == e.Code
}

// ErrConnectionLost says that the connection ended before the answer: nobody knows whether the request was carried out.
var ErrConnectionLost = &Error{Code: CodeConnectionLost, Message: "the connection ended before the answer"}

// ErrClosed says that the client was closed.
var ErrClosed = errors.New("the client is closed")

var errOver = errors.New("there are no more events")

func newError(text json.RawMessage) *Error {
	e := &Error{Details: text}
	_ = json.Unmarshal(text, e)
	return e
}

// Options says how a client behaves; its zero value will do.
type Options struct {
	// Path is the daemon's socket.
	Path string
	// Backoff is the first pause between attempts to connect, 100 ms if it is 0. Each is twice as long as the one
	// before, up to MaxBackoff, 10 s if it is 0, less a random part of up to one half.
	Backoff, MaxBackoff time.Duration
}

// Client is a client of a daemon, for any number of goroutines. Nothing happens before the first request; requests wait
// for a daemon until their context ends.
type Client struct {
	path    string
	backoff Options
	ctx     context.Context
	cancel  context.CancelFunc
	wake    chan struct{}
	mutex   sync.Mutex
	pending []*pending
	count   int64
}

// New makes a client.
func New(options *Options) *Client {
	if options == nil {
		options = &Options{}
	}
	c := &Client{path: options.Path, backoff: *options, wake: make(chan struct{}, 1)}
	if c.path == "" {
		c.path = os.Getenv("SIGNALBOX_SOCKET")
	}
	if c.path == "" {
		c.path = DefaultSocket
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	go c.serve()
	return c
}

// Close ends all subscriptions, calls and requests.
func (c *Client) Close() { c.cancel() }

// NewMessageID is a message id that nobody else has.
func NewMessageID() string {
	var bytes [16]byte
	if _, err := rand.Read(bytes[:]); err != nil {
		panic(err)
	}
	return hex.EncodeToString(bytes[:])
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

func (c *Client) reason(ctx context.Context) error {
	if c.ctx.Err() != nil {
		return ErrClosed
	}
	return ctx.Err()
}

// converse makes a connection, says what it is told, and hands over the daemon's lines until one is answered with an
// error, the connection ends, or the context does.
func (c *Client) converse(ctx context.Context, greeting []object, take func(*line) ([]object, error)) error {
	var dialer net.Dialer
	connection, err := dialer.DialContext(ctx, "unix", c.path)
	if err != nil {
		return err
	}
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-ctx.Done():
		case <-done:
		}
		connection.Close()
	}()
	write := func(requests []object) error {
		for _, request := range requests {
			if err := writeLine(connection, request); err != nil {
				return err
			}
		}
		return nil
	}
	if err := write(greeting); err != nil {
		return err
	}
	reader := bufio.NewReader(connection)
	for {
		text, err := reader.ReadBytes('\n')
		if err != nil {
			return err
		}
		l := &line{}
		if err := json.Unmarshal(text, l); err != nil {
			return err
		}
		requests, err := take(l)
		if err != nil {
			return err
		}
		if err := write(requests); err != nil {
			return err
		}
	}
}

func writeLine(w io.Writer, request object) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(request); err != nil {
		return err
	}
	_, err := w.Write(text.Bytes())
	return err
}

type backoff struct{ first, longest, next time.Duration }

func newBackoff(options Options) *backoff {
	b := &backoff{first: options.Backoff, longest: options.MaxBackoff}
	if b.first == 0 {
		b.first = 100 * time.Millisecond
	}
	if b.longest == 0 {
		b.longest = 10 * time.Second
	}
	b.reset()
	return b
}

func (b *backoff) reset() { b.next = b.first }

func (b *backoff) pause(ctx context.Context) error {
	pause := b.next/2 + time.Duration(mathrand.Int63n(int64(b.next/2)+1))
	if b.next *= 2; b.next > b.longest {
		b.next = b.longest
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
