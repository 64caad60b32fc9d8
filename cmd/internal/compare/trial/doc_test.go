// Package trial judges the command's compare with an engine that nobody tuned it to. The engine is
// a 0x88 board with piece lists, unmaking and a table of counts. It can make 74 mistakes, one at a
// time, as engines have had them. Each has a row that says beforehand what is true of it and which
// words a sentence about it needs.
package trial
