package engine

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mattn/go-shellwords"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// SplitCommand splits a command line into a program and its arguments like a shell, without expansion. The name of an
// existing file is not split.
func SplitCommand(text string) (path string, args []string, err error) {
	if _, err := os.Stat(text); err == nil {
		return text, nil, nil
	}
	if runtime.GOOS == "windows" {
		text = strings.ReplaceAll(text, `\`, `\\`) // separates folders, and escapes nothing
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

// diagnose explains why a program does not start, with a hint.
func diagnose(path string, err error) string {
	info, statErr := os.Stat(path)
	switch {
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
	}
	return diagnoseFile(path, info, err)
}

// diagnoseFile explains why a file that exists does not start.
func diagnoseFile(path string, info fs.FileInfo, err error) string {
	head := readHead(path)
	interpreter := interpreterOf(head)
	switch {
	case bytes.HasPrefix(head, []byte("MZ")) && runtime.GOOS != "windows":
		return fmt.Sprintf("it is a program for Windows; this is %s: try wine, --engine 'wine %s'", runtime.GOOS, path)
	case len(head) > 4 && string(head[1:4]) == "\xfa\xed\xfe" && runtime.GOOS != "darwin": // Mach-O
		return "it is a program for macOS; this is " + runtime.GOOS
	case errors.Is(err, fs.ErrPermission) && info.Mode().Perm()&0o111 == 0:
		return "it is not executable: chmod +x " + path + hintForScript(path)
	case interpreter != "" && !isFile(interpreter):
		return fmt.Sprintf("its first line names the interpreter %s, which does not exist", interpreter)
	case bytes.HasPrefix(head, []byte(elf.ELFMAG)):
		return err.Error() + ": it is built for another kind of machine" + machineOf(path)
	case strings.Contains(err.Error(), "format"):
		return "it is neither a program nor a script with an interpreter in its first line (#!)" + hintForScript(path)
	}
	return err.Error()
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// readHead returns the first bytes of a file, none if it cannot be read.
func readHead(path string) []byte {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	head := make([]byte, 256)
	n, _ := file.Read(head) // an unreadable file has an empty head
	return head[:n]
}

// interpreterOf returns the program that the first line of a script names, "" if none.
func interpreterOf(head []byte) string {
	line, _, _ := strings.Cut(string(head), "\n")
	command, ok := strings.CutPrefix(line, "#!")
	words := strings.Fields(command)
	if !ok || len(words) == 0 {
		return ""
	}
	return words[0]
}

// machineOf returns the processor that an ELF file is for.
func machineOf(path string) string {
	file, err := elf.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	return fmt.Sprintf(" (%v)", file.Machine)
}

// hintForScript names the interpreter of files that are scripts by their names.
func hintForScript(path string) string {
	interpreters := map[string]string{".py": "python3", ".js": "node", ".jar": "java -jar", ".sh": "sh", ".rb": "ruby",
		".exe": "wine"}
	if interpreter := interpreters[filepath.Ext(path)]; interpreter != "" {
		return fmt.Sprintf(", or --engine '%s %s'", interpreter, path)
	}
	return ""
}

// process is a program that runs. A goroutine reads its output, so that waiting for a line can end.
type process struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     io.ReadCloser
	lines   chan string   // of its output, closed at the end
	failure error         // of reading; valid once lines is closed
	errors  *errorOutput  // of the program
	gone    chan struct{} // closed when lines are no longer read
	release func()        // closes it
	last    string        // the last line that was read and is not blank
}

// patience is the time limit for the end of a program whose input or output has ended.
const patience = time.Second

func start(config *Config, args ...string) (*process, error) {
	gone := make(chan struct{})
	p := &process{
		command: exec.Command(config.Path, append(append([]string(nil), config.Args...), args...)...),
		lines:   make(chan string), gone: gone, release: sync.OnceFunc(func() { close(gone) }),
		errors: &errorOutput{lines: make(chan string, maxErrorLines)},
	}
	p.command.Stderr = p.errors
	p.command.WaitDelay = patience // a child process may have inherited the pipe
	var err error
	if p.in, err = p.command.StdinPipe(); err == nil {
		p.out, err = p.command.StdoutPipe()
	}
	if err == nil {
		err = p.command.Start()
	}
	if err != nil {
		return nil, &Error{Path: config.Path, Err: ErrStart, Detail: diagnose(config.Path, err)}
	}
	go p.scan()
	return p, nil
}

// scan reads the output until it ends or is no longer read.
func (p *process) scan() {
	defer close(p.lines)
	scanner := bufio.NewScanner(p.out)
	for scanner.Scan() {
		select {
		case p.lines <- scanner.Text():
		case <-p.gone:
			return
		}
	}
	p.failure = scanner.Err()
}

// kill ends the program, and all reads and writes that wait for it.
func (p *process) kill() {
	_ = p.command.Process.Kill() // it may have ended already
	p.release()
	p.in.Close()
	p.out.Close()
}

// close ends the program and waits until it has ended.
func (p *process) close() {
	p.kill()
	_ = p.command.Wait() // the error is that it was killed
}

// write sends a line.
func (p *process) write(line string) error {
	_, err := io.WriteString(p.in, line+"\n")
	return err
}

// listen reads lines of the output and of stderr, until one is the last. The error is io.EOF at the end of the output,
// or the cause of ctx.
func (p *process) listen(ctx context.Context, stderr <-chan string,
	isLast func(line string, isError bool) (bool, error)) error {
	for range maxLines {
		var text string
		isError := false
		select {
		case line, ok := <-p.lines:
			if !ok {
				return cmp.Or(p.failure, io.EOF)
			}
			if text = strings.TrimSpace(line); text != "" {
				p.last = text
			}
		case line := <-stderr:
			text, isError = strings.TrimSpace(line), true
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if last, err := isLast(text, isError); last || err != nil {
			return err
		}
	}
	return errTooManyLines
}

// fail ends the program and returns the error of a conversation that failed.
func (p *process) fail(ctx context.Context, config *Config, question string, err error) error {
	failure := &Error{Path: config.Path, Question: question}
	var known *Error
	switch deadline := context.Cause(ctx); {
	case errors.As(err, &known):
		failure.Err, failure.Detail = known.Err, known.Detail
	case errors.Is(err, bufio.ErrTooLong):
		failure.Err, failure.Detail = ErrGarbage, "a line is longer than 64 KiB"
	case errors.Is(err, errTooManyLines):
		failure.Err, failure.Detail = ErrGarbage,
			fmt.Sprintf("it has more than %d lines, the last %s", maxLines, quote.Text(p.last, 0))
	case errors.Is(deadline, errTimeLimit):
		failure.Err, failure.Detail = ErrSilent, config.TimeLimit.String()+", "+p.lastLine()
	case errors.Is(err, errNoHandshake):
		failure.Err, failure.Detail = ErrNotUCI, p.lastLine()
	case deadline != nil:
		p.close()
		return deadline
	default:
		failure.Err, failure.Detail = ErrEnded, p.ending()
		return failure
	}
	p.close()
	return failure
}

// errTimeLimit is the cause of the context of a question whose time is over.
var errTimeLimit = errors.New("time limit")

// ending waits for the end of the program, whose input or output has ended, and describes it.
func (p *process) ending() string {
	deadline := time.AfterFunc(patience, p.kill)
	defer deadline.Stop()
	p.release()
	p.in.Close()
	_ = p.command.Wait() // what it returns is in ProcessState
	text := p.command.ProcessState.String() + ", " + p.lastLine()
	if complaint := p.errors.last(); complaint != "" {
		text += "; stderr: " + quote.Text(complaint, 0)
	}
	return text
}

func (p *process) lastLine() string {
	if p.last == "" {
		return "it has written nothing"
	}
	return "its last line is " + quote.Text(p.last, 0)
}

// maxErrorLines is the greatest number of lines of stderr that wait to be read as part of an answer; further lines are
// dropped.
const maxErrorLines = 1000

// errorOutput receives the stderr of a program: its lines, and the last part for errors.
type errorOutput struct {
	lines chan string
	mutex sync.Mutex
	text  []byte // the last part of all output
	line  []byte // the incomplete last line
}

func (e *errorOutput) Write(text []byte) (int, error) {
	const enough = 1 << 10
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.text = append(e.text, text...)
	e.text = e.text[max(0, len(e.text)-enough):]
	e.line = append(e.line, text...)
	for {
		line, rest, found := bytes.Cut(e.line, []byte("\n"))
		if !found {
			break
		}
		select {
		case e.lines <- string(line):
		default:
		}
		e.line = rest
	}
	e.line = e.line[max(0, len(e.line)-enough):]
	return len(text), nil
}

// last returns the last line that is not blank.
func (e *errorOutput) last() string {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	text := strings.TrimSpace(string(e.text))
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// perftree is a program that is called for each question.
type perftree struct {
	config *Config
	reader reader
}

func openPerftree(config *Config) (Program, error) {
	if len(config.Options) > 0 {
		return nil, &Error{Path: config.Path, Err: ErrOption,
			Detail: "a program that is called as perftree does has none"}
	}
	return &perftree{config, newReader(config)}, nil
}

// recognizePerftree returns the program if it answers when it is called as perftree calls, else nil.
func recognizePerftree(ctx context.Context, config *Config) Program {
	calling := *config
	calling.TimeLimit = min(config.TimeLimit,
		config.StartLimit/2) // of each call, since the start limit is partly used up
	var answers []Answer
	for _, pos := range probePositions() {
		answer, err := (&perftree{&calling, newReader(config)}).Divide(ctx, Path{Root: pos}, 1)
		if err != nil {
			return nil
		}
		answers = append(answers, answer)
	}
	if reflect.DeepEqual(answers[0], answers[1]) {
		return nil
	}
	return &perftree{config, newReader(config)}
}

func (*perftree) Close() {}

func (t *perftree) Description() string { return t.config.Path + ", called as DEPTH FEN [MOVES]" }

// Divide calls the program with the depth, the root, and the moves in one argument, if there are any.
func (t *perftree) Divide(ctx context.Context, path Path, depth int) (Answer, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, t.config.TimeLimit, errTimeLimit)
	defer cancel()
	args := []string{strconv.Itoa(depth), path.Root.FEN()}
	question := args[0] + " '" + args[1] + "'"
	if len(path.Moves) > 0 {
		args = append(args, path.UCI())
		question += " '" + path.UCI() + "'"
	}
	p, err := start(t.config, args...)
	if err != nil {
		return Answer{}, err
	}
	stop := context.AfterFunc(ctx, p.kill)
	defer stop()
	p.in.Close()
	var answer Answer
	err = p.listen(ctx, nil, func(line string, _ bool) (bool, error) { return false, t.reader.take(line, &answer) })
	if err == io.EOF {
		err = p.command.Wait()
	}
	switch {
	case err != nil:
		return Answer{}, p.fail(ctx, t.config, question, err)
	case answer.isEmpty():
		return Answer{}, &Error{t.config.Path, question, p.lastLine(), ErrGarbage}
	}
	return answer, nil
}
