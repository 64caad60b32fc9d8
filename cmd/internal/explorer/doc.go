// Package explorer answers the questions that the explorer's page asks: about a position, about lines and their
// intersections, about slider attacks and magics, about sets of squares, and about perft.
//
// A question has a name and a request in JSON; its reply is JSON too. Every answer is a function of its request alone,
// so that the server of the command and the page's WebAssembly give the same replies. Sets of squares are strings of
// hexadecimal digits, since a number of JavaScript has 53 exact bits; squares are their names.
package explorer
