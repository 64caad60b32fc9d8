package coordinator

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// statusFile is where a run keeps its status for other processes. It is for people only: nothing depends on it.
const statusFile = "status.json"

// SaveStatus writes a status into the directory of a run, where ReadStatus finds it, whole or not at all.
func SaveStatus(dir string, s Status) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, statusFile)
	if err := os.WriteFile(path+".new", append(text, '\n'), 0o666); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// ReadStatus reads the last status that a run wrote into its directory. Its Time shows how old it is. The error is that of the
// file, or of what is in it.
func ReadStatus(dir string) (Status, error) {
	var s Status
	text, err := os.ReadFile(filepath.Join(dir, statusFile))
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	return s, err
}

// RemoveStatus takes away what SaveStatus wrote, for the run has ended.
func RemoveStatus(dir string) { _ = os.Remove(filepath.Join(dir, statusFile)) } // if it stays, its Time shows its age
