package job

import (
	"fmt"
	"strings"
)

// The name of a worker is "PROCESS/THREAD", and "CREDENTIAL:PROCESS/THREAD" if it has a credential of its own. The broker vouches
// for the credential; what is behind it is what the worker claims.

const (
	maxClaim = 64 // bytes of PROCESS/THREAD
	maxName  = 32 + len(":") + maxClaim
)

// Owner returns who answers for the results of a worker: its credential, if it has one. Workers of one credential count as
// one where a task must be counted by another worker, for they may claim any names.
func Owner(worker string) string {
	owner, _, _ := strings.Cut(worker, ":")
	return owner
}

// CheckName returns why a worker, or a process, with a credential must not have a name, nil if it may.
func CheckName(name, credential string) error {
	owner, claim, owned := strings.Cut(name, ":")
	if !owned {
		owner, claim = "", name
	}
	switch {
	case claim == "" || len(claim) > maxClaim || !printable(claim):
		return fmt.Errorf("the name of a worker, %.*q of %d bytes, is not 1..%d bytes of printable text", maxClaim, claim, len(claim), maxClaim)
	case owned && credential == "":
		return fmt.Errorf("%s claims a credential without one", name)
	case owner != credential:
		return fmt.Errorf("%s has the credential %s", name, credential)
	}
	return nil
}
