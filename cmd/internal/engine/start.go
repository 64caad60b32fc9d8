package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/mattn/go-shellwords"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/uci"
)

// guard is the variable of the environment that is set for every program that is asked.
const guard = "FIANCHETTO_COMPARE"

// start starts a program in a group of its own, which ends with it. It reads stdin if that is not nil, and the commands
// of the client otherwise.
func start(config *Config, stdin io.Reader, args ...string) (*uci.Client, *exec.Cmd, error) {
	command := exec.CommandContext(context.Background(), config.Path, slices.Concat(config.Args, args)...)
	command.Stdin = stdin
	command.Env = append(os.Environ(), guard+"=1")
	join, err := contain(command)
	if err == nil {
		var client *uci.Client
		if client, err = uci.Start(command); err == nil {
			join()
			return client, command, nil
		}
	}
	return nil, nil, &uci.Error{Program: config.commandLine(), Err: uci.ErrStart, Detail: diagnose(config.Path, err)}
}

// commandLine returns the program with its arguments, on one line that a terminal shows.
func (c *Config) commandLine() string {
	return quote.Plain(quote.Printable(strings.Join(append([]string{c.Path}, c.Args...), " ")))
}

// SplitCommand splits a command line into a program and its arguments like a shell, without expansion. The name of an
// existing file is not split.
func SplitCommand(text string) (path string, args []string, err error) {
	if _, err := os.Stat(text); err == nil {
		return text, nil, nil
	}
	if runtime.GOOS == "windows" {
		text = strings.ReplaceAll(text, `\`, `\\`) // separates folders, and escapes nothing
	}
	if windowsPath().MatchString(text) && runtime.GOOS != "windows" {
		return "", nil, fmt.Errorf("%s is a path of Windows; this is %s", quote.Text(text, 0), runtime.GOOS)
	}
	parser := shellwords.NewParser()
	words, err := parser.Parse(text)
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("%s: a quote is not closed", quote.Text(text, 0))
	case parser.Position >= 0:
		return "", nil, fmt.Errorf("%s: there is no shell for what begins at offset %d",
			quote.Text(text, parser.Position), parser.Position)
	case len(words) == 0:
		return "", nil, errors.New("the command is empty")
	}
	return words[0], words[1:], nil
}

// windowsPath matches a path with a drive, perhaps in quotes.
var windowsPath = compiled(`^["']?[A-Za-z]:[\\/]`)

// diagnose explains why a program does not start, with a hint.
func diagnose(path string, err error) string {
	if found, missing := exec.LookPath(path); missing == nil {
		path = found
	}
	info, statErr := os.Stat(path)
	noPipe := (*os.SyscallError)(nil)
	switch {
	case errors.As(err, &noPipe):
		return noPipe.Error()
	case errors.Is(err, exec.ErrNotFound) && !strings.ContainsRune(path, filepath.Separator):
		if isFile(filepath.Join(".", path)) {
			return fmt.Sprintf("no program on the PATH has this name; the file here is .%c%s", filepath.Separator, path)
		}
		return "no program on the PATH has this name"
	case errors.Is(err, exec.ErrDot):
		return fmt.Sprintf("the file here is .%c%s", filepath.Separator, path)
	case errors.Is(statErr, fs.ErrNotExist):
		return "no such file"
	case statErr != nil:
		return statErr.Error()
	case info.IsDir():
		return "it is a directory"
	case !info.Mode().IsRegular():
		return "it is a pipe, a device or a socket, not a program"
	}
	return diagnoseFile(path, info, err)
}

// diagnoseFile explains why a file that exists does not start.
func diagnoseFile(path string, info fs.FileInfo, err error) string {
	var head []byte // none if it cannot be read
	if file, err := os.Open(path); err == nil {
		head, _ = io.ReadAll(io.LimitReader(file, 256))
		_ = file.Close()
	}
	interpreter := shebang().FindStringSubmatch(string(head))
	if failure := (*fs.PathError)(nil); errors.As(err, &failure) {
		err = failure // without what package uci says of it
	}
	isFormat := strings.Contains(err.Error(), "format")
	switch {
	case bytes.HasPrefix(head, []byte("MZ")) && runtime.GOOS != "windows":
		return fmt.Sprintf("it is a program for Windows; this is %s: try wine, --engine 'wine %s'", runtime.GOOS, path)
	case len(head) > 4 && string(head[1:4]) == "\xfa\xed\xfe" && runtime.GOOS != "darwin": // Mach-O
		return "it is a program for macOS; this is " + runtime.GOOS
	case errors.Is(err, fs.ErrPermission) && info.Mode().Perm()&0o111 == 0:
		return "it is not executable: chmod +x " + path + hintForScript(path)
	case interpreter != nil && interpreter[2] != "":
		return fmt.Sprintf("its first line ends in CRLF, so that the interpreter %q does not exist: "+
			"sed -i 's/\\r$//' %s", interpreter[1]+interpreter[2], path)
	case interpreter != nil && !isFile(interpreter[1]):
		return fmt.Sprintf("its first line names the interpreter %s, which does not exist", interpreter[1])
	case bytes.HasPrefix(head, []byte("\x7fELF")) && (isFormat || errors.Is(err, fs.ErrNotExist)): // the loader
		return err.Error() + ": it is built for another kind of machine"
	case isFormat:
		return "it is neither a program nor a script with an interpreter in its first line (#!)" + hintForScript(path)
	}
	return err.Error()
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// shebang finds the program that the first line of a script names.
var shebang = compiled(`^#![ \t]*([^\s\r]+)[^\n\r]*(\r?)`)

// hintForScript names the interpreter of files that are scripts by their names.
func hintForScript(path string) string {
	interpreters := map[string]string{".py": "python3", ".js": "node", ".jar": "java -jar", ".sh": "sh", ".rb": "ruby",
		".exe": "wine"}
	if interpreter := interpreters[filepath.Ext(path)]; interpreter != "" {
		return fmt.Sprintf(", or --engine '%s %s'", interpreter, path)
	}
	return ""
}
