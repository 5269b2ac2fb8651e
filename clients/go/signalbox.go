// Package signalbox is a client of the signalbox daemon: it follows and feeds signals, and loses nothing.
package signalbox

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// DefaultSocket is the daemon's socket, if neither the program nor $SIGNALBOX_SOCKET names another one.
const DefaultSocket = "/run/signalbox/signalbox.sock"

// Error is a refusal. Its code is for programs, the message for people.
type Error struct {
	Code    ErrorCode
	Message string
	// Details is the whole error as the daemon wrote it, with members such as oldest, status and errors.
	Details json.RawMessage `json:"-"`
}

func (e *Error) Error() string { return e.Message + " (" + string(e.Code) + ")" }

// Is makes errors.Is compare codes.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Code == e.Code
}

// UnmarshalJSON reads an error as the daemon writes it.
func (e *Error) UnmarshalJSON(text []byte) error {
	type plain Error
	e.Details = append(json.RawMessage(nil), text...)
	return json.Unmarshal(text, (*plain)(e))
}

// ErrConnectionLost says that the connection closed before the answer: nobody knows whether the request was carried out.
var ErrConnectionLost = &Error{Code: CodeConnectionLost, Message: "the connection closed before the answer"}

// ErrClosed says that the client was closed.
var ErrClosed = errors.New("the client is closed")

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
	options Options
	ctx     context.Context
	cancel  context.CancelFunc
	count   atomic.Int64
	// queue is for requests that no connection has taken, and open are those without an answer.
	queue chan *request
	mutex sync.Mutex
	open  []*request
}

// New makes a client.
func New(options *Options) *Client {
	c := &Client{queue: make(chan *request)}
	if options != nil {
		c.options = *options
	}
	for _, path := range []string{os.Getenv("SIGNALBOX_SOCKET"), DefaultSocket} {
		if c.options.Path == "" {
			c.options.Path = path
		}
	}
	if c.options.Backoff == 0 {
		c.options.Backoff = 100 * time.Millisecond
	}
	if c.options.MaxBackoff == 0 {
		c.options.MaxBackoff = 10 * time.Second
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
