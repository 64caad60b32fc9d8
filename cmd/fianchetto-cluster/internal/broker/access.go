package broker

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// access decides which clients may use an embedded server, and for what. The coordinator may do everything. Each worker has an
// account of its own, which sees nothing of the coordinator's but what it imports: the requests below. The permissions of
// its user are the same requests, so that all others are refused with an error. An account is needed, too: within
// one, the answer to a permitted request can be sent to any subject.
type access struct {
	secret string // that the coordinator shows
	users  map[string]*user
	open   chan struct{} // closed when the users have their accounts, and may come in
}

// user is a user of the server, and the hash of the token.
type user struct {
	*server.User
	token [sha256.Size]byte
}

// newAccess returns the access for whom the options name.
func newAccess(o *Options) *access {
	a := &access{secret: rand.Text(), users: make(map[string]*user), open: make(chan struct{})}
	a.add(coordinatorUser, a.secret, nil)
	if o.Token != "" {
		a.add(sharedUser, o.Token, workerPermissions(sharedUser))
	}
	for _, c := range o.Workers {
		a.add(c.Name, c.Token, workerPermissions(c.Name))
	}
	return a
}

func (a *access) add(name, token string, permissions *server.Permissions) {
	a.users[name] = &user{&server.User{Username: name, Permissions: permissions}, sha256.Sum256([]byte(token))}
}

// Check reports whether a client is let in that connects; it is called by the server.
func (a *access) Check(c server.ClientAuthentication) bool {
	select {
	case <-a.open:
	case <-time.After(readyPatience):
		return false
	}
	shown := c.GetOpts()
	name, token := shown.Username, shown.Password
	if name == "" {
		name, token = sharedUser, shown.Token
	}
	known, hash := a.users[name], sha256.Sum256([]byte(token))
	if known == nil || subtle.ConstantTimeCompare(known.token[:], hash[:]) == 0 {
		return false
	}
	c.RegisterUser(known.User)
	return true
}

// workerRequests returns the subjects that a worker may publish to: it finds jobs, takes tasks and keeps, finishes or returns
// them, reports results and sends heartbeats, the last two under its own name only.
func workerRequests(name string) []string {
	return []string{
		"$JS.API.STREAM.LIST",
		"$JS.API.CONSUMER.INFO.*." + workers,
		nextRequest,
		"$JS.ACK.*." + workers + ".>",
		subjectRoot + "*.result." + name + ".>",
		subjectRoot + "*.heartbeat." + name,
	}
}

// nextRequest asks for tasks. It is answered by as many messages.
const nextRequest = "$JS.API.CONSUMER.MSG.NEXT.*." + workers

func workerPermissions(name string) *server.Permissions {
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: workerRequests(name)},
		Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.>"}},
	}
}

// grant makes the accounts of all users on a server that has started, and lets them in.
func (a *access) grant(s *server.Server) error {
	defer close(a.open)
	if err := a.makeAccounts(s); err != nil {
		a.users = nil // no client is let in
		return err
	}
	return nil
}

func (a *access) makeAccounts(s *server.Server) error {
	if err := s.GlobalAccount().UpdateJetStreamLimits(accountLimits); err != nil {
		return err
	}
	for _, subject := range workerRequests("*") {
		response := server.Singleton
		if subject == nextRequest {
			response = server.Streamed
		}
		if err := s.GlobalAccount().AddServiceExportWithResponse(subject, response, nil); err != nil {
			return fmt.Errorf("export of %s: %w", subject, err)
		}
	}
	for name, u := range a.users {
		if name == coordinatorUser {
			u.Account = s.GlobalAccount()
			continue
		}
		var err error
		if u.Account, err = s.RegisterAccount("worker-" + name); err != nil {
			return fmt.Errorf("account of %s: %w", name, err)
		}
		for _, subject := range workerRequests(name) {
			if err := u.Account.AddServiceImport(s.GlobalAccount(), subject, subject); err != nil {
				return fmt.Errorf("import of %s by %s: %w", subject, name, err)
			}
		}
	}
	return nil
}
