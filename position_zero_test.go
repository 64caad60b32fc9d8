package fianchetto_test

import (
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/debug"
)

// needsLegalMove lists the methods that require a legal argument, which the zero Position has not.
var needsLegalMove = []string{"After", "Make", "CopyMake", "Unmake", "Null", "CopyNull", "Changes"}

// answersOfNone are the answers of the zero Position that are neither zero, empty nor an error.
var answersOfNone = map[string]string{
	"King":        "-",           // NoSquare
	"EnPassant":   "-",           // NoSquare
	"String":      "no position", //
	"IsQuiet":     "true",        // NoMove captures nothing
	"SEEAtLeast":  "true",        // NoMove wins 0, which is at least 0
	"MoveBetween": "0000",        // NoMove
	"UCI":         "0000",        // NoMove
	"AppendUCI":   "0000",
	"SAN":         "--", // NoMove
	"AppendSAN":   "--",
	"LAN":         "--",
}

// TestZeroPosition calls every exported method of the zero Position: none takes it for a position.
func TestZeroPosition(t *testing.T) {
	methods := reflect.TypeFor[*fianchetto.Position]()
	for i := range methods.NumMethod() {
		method := methods.Method(i)
		if slices.Contains(needsLegalMove, method.Name) {
			continue
		}
		var zero fianchetto.Position
		for _, answer := range callWithZeros(method, &zero) {
			checkNone(t, method.Name, answer)
		}
	}
}

// callWithZeros calls a method with zero arguments; pointers point to zero values. The build tag
// fianchettodebug lets a method that requires a legal move panic.
func callWithZeros(method reflect.Method, receiver any) (answers []reflect.Value) {
	defer func() {
		if r := recover(); r != nil && !debug.Enabled {
			panic(r)
		}
	}()
	arguments := []reflect.Value{reflect.ValueOf(receiver)}
	for i := 1; i < method.Type.NumIn(); i++ {
		argument := reflect.Zero(method.Type.In(i))
		if argument.Kind() == reflect.Pointer {
			argument = reflect.New(argument.Type().Elem())
		}
		arguments = append(arguments, argument)
	}
	return method.Func.Call(arguments)
}

// checkNone checks an answer of the zero Position.
func checkNone(t *testing.T, name string, answer reflect.Value) {
	t.Helper()
	switch value := answer.Interface().(type) {
	case error:
		return
	case iter.Seq[fianchetto.Move]:
		for m := range value {
			t.Errorf("%s yields %v", name, m)
		}
		return
	case fianchetto.Explanation:
		if value.Legal {
			t.Errorf("%s: %v", name, value)
		}
		return
	case fianchetto.Setup:
		if _, err := value.Position(); !errors.Is(err, fianchetto.ErrKingCount) {
			t.Errorf("%s: %v", name, err)
		}
		return
	}
	text := fmt.Sprint(answer.Interface())
	if bytes, ok := answer.Interface().([]byte); ok {
		text = string(bytes)
	}
	isRight := isEmpty(answer)
	if want, listed := answersOfNone[strings.TrimSuffix(name, "With")]; listed {
		isRight = text == want
	}
	isKey := strings.Contains(name, "Key") // of an empty set of pieces
	isDrawing := name == "Diagram" || name == "Pretty" && strings.HasSuffix(text, "no position\n")
	if !isRight && !isKey && !isDrawing {
		t.Errorf("%s: %s", name, text)
	}
}

func isEmpty(v reflect.Value) bool { return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 }

// TestGameWithoutPosition calls every exported method of a Game that begins in the zero Position.
// SAN needs a ply, and a zero Game is at the start position.
func TestGameWithoutPosition(t *testing.T) {
	methods := reflect.TypeFor[*fianchetto.Game]()
	for i := range methods.NumMethod() {
		method := methods.Method(i)
		if method.Name == "SAN" || method.Name == "History" {
			continue
		}
		game := fianchetto.NewGame(fianchetto.Position{})
		for _, answer := range callWithZeros(method, game) {
			if _, isError := answer.Interface().(error); !isError && !isEmpty(answer) {
				t.Errorf("%s: %v", method.Name, answer)
			}
		}
		if game.Position() != (fianchetto.Position{}) || game.Len() != 0 {
			t.Errorf("%s: the game is at %v", method.Name, game.Position())
		}
	}
}
