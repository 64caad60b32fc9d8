package magic

// Window is a magic number with its place in a table that it shares with others.
// Windows may overlap as long as no slot is used by two of them.
type Window struct {
	Magic
	Start int // the table's slot that index 0 stands for, 0 or more
}
