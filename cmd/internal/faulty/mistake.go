package faulty

import (
	"fmt"
	"slices"
	"strings"
)

// Part is a part of an engine that a mistake makes wrong.
type Part uint8

// The parts. Those from CapturesOwn to MovesEnemies overlook one rule each.
const (
	Right Part = iota // nothing is wrong

	Refuses
	Repeats

	CapturesOwn
	Jumps
	DoubleOver
	DoubleOnto
	DoubleFrom
	PushCaptures
	CapturesNothing
	StaleEnPassant
	Wraps
	StepsBack
	StaysPawn
	PromotesToKing
	PromotesEarly
	Exposes
	CastlesBlocked
	CastlesUnentitled
	MovesEnemies

	OuterRook
	StandardPieces

	KeepsRights
	KeepsRightsIfRook
	LosesRights
	LosesTheirRights
	LosesOtherRight
	KeepsEnPassant
	ForgetsEnPassant
	MisplacesEnPassant
	KeepsVictim
	LeavesRook
	CastlesTwoSquares
	StaleKing
	MakesPawn
	MakesQueen

	ReadsNoEnPassant
	ReadsNoRights
	ReadsAllRights

	PseudoLegalLeaves
	LeafMisses
	LeafDoubles
	PlyMore
	PlyLess
	AddsParents
	Wraps32
	CountsMates
	DrawsByClock
	DrawsByMaterial
	DrawsByRepetition

	KeepsRightsBack
	LosesCaptured
	LosesVictim
	KeepsRookBack
	KeepsPromoted
	StaleKingBack

	HashesNoEnPassant
	HashesNoRights
	HashesNoDepth

	parts

	TestsByMaking // no mistake: moves are made and unmade to learn whether they are legal
	Ordered       // no mistake: the value of its condition is the order of the moves
	PathsRight    // no mistake: the moves before the question are made right
	habits
)

// stage tells when a part works.
type stage uint8

const (
	listing  stage = iota // moves are generated
	making                // a move is made: the conditions are about this move
	reading               // a FEN is read: the conditions are about a castling right
	counting              // leaves are counted
	unmaking              // a move is unmade: the conditions are about this move
	hashing               // counts are remembered
)

// partTable describes each part: what its conditions are about, and the sentence, in which # stands
// for the moves of the conditions, and ~ for the conditions after a noun.
var partTable = [habits]struct {
	stage    stage
	sentence string
}{
	Refuses:         {listing, "# are not generated"},
	Repeats:         {listing, "# are listed twice"},
	CapturesOwn:     {listing, "# onto pieces of their own side are generated"},
	Jumps:           {listing, "# over one piece are generated"},
	DoubleOver:      {listing, "double pushes over a piece ~ are generated"},
	DoubleOnto:      {listing, "double pushes onto a piece ~ are generated"},
	DoubleFrom:      {listing, "double pushes ~ are generated, not from the second rank only"},
	PushCaptures:    {listing, "pawn moves straight ahead onto a piece ~ are generated"},
	CapturesNothing: {listing, "pawn moves diagonally onto an empty square ~ are generated"},
	StaleEnPassant: {listing,
		"en-passant captures of a pawn that has not just made a double push ~ are generated"},
	Wraps:             {listing, "# around the edge of the board are generated"},
	StepsBack:         {listing, "pawn moves straight back ~ are generated"},
	StaysPawn:         {listing, "pawn moves to the last rank without a promotion ~ are generated"},
	PromotesToKing:    {listing, "promotions to a king ~ are generated"},
	PromotesEarly:     {listing, "promotions on the seventh rank ~ are generated"},
	Exposes:           {listing, "# are generated"},
	CastlesBlocked:    {listing, "castling moves ~ are generated although a piece stands in the way"},
	CastlesUnentitled: {listing, "castling moves ~ are generated without the right"},
	MovesEnemies:      {listing, "# of the opponent's pieces are generated"},
	OuterRook:         {listing, "castling moves ~ use the outermost rook"},
	StandardPieces:    {listing, "castling moves ~ look for pieces on standard chess's squares only"},

	KeepsRights:        {making, "castling rights survive #"},
	KeepsRightsIfRook:  {making, "castling rights survive #, and count when a rook is back"},
	LosesRights:        {making, "# end both castling rights of their side"},
	LosesTheirRights:   {making, "# end both castling rights of the opponent"},
	LosesOtherRight:    {making, "moves of a castling rook ~ end the right of the other rook and keep its right"},
	KeepsEnPassant:     {making, "the en-passant square survives #"},
	ForgetsEnPassant:   {making, "double pushes ~ set no en-passant square"},
	MisplacesEnPassant: {making, "double pushes ~ set the en-passant square beyond the pawn"},
	KeepsVictim:        {making, "en-passant captures ~ leave the captured pawn on the board"},
	LeavesRook:         {making, "castling moves ~ leave the rook in place"},
	CastlesTwoSquares:  {making, "castling moves ~ move the king two squares, wherever it stands"},
	StaleKing:          {making, "after king moves ~ the king is sought on its old square"},
	MakesPawn:          {making, "promotions ~ leave a pawn on the last rank"},
	MakesQueen:         {making, "promotions ~ become a queen"},

	ReadsNoEnPassant: {reading, "the en-passant field of the FEN is ignored"},
	ReadsNoRights:    {reading, "the castling field of the FEN is ignored ~"},
	ReadsAllRights:   {reading, "castling rights are granted whatever the FEN says ~"},

	PseudoLegalLeaves: {counting, "the last ply counts # that leave the king attacked"},
	LeafMisses:        {counting, "the last ply does not count #"},
	LeafDoubles:       {counting, "the last ply counts # twice"},
	PlyMore:           {counting, "counts are of one ply more than asked"},
	PlyLess:           {counting, "counts are of one ply less than asked"},
	AddsParents:       {counting, "the counts include the positions on the way"},
	Wraps32:           {counting, "counts are cut to 32 bits"},
	CountsMates:       {counting, "a position without moves counts as a leaf"},
	DrawsByClock:      {counting, "there are no moves from a halfmove clock of 100 on"},
	DrawsByMaterial:   {counting, "there are no moves when the pieces left cannot mate"},
	DrawsByRepetition: {counting, "there are no moves when a position is repeated"},

	KeepsRightsBack: {unmaking, "unmaking # does not restore the castling rights"},
	LosesCaptured:   {unmaking, "unmaking captures ~ does not put the captured piece back"},
	LosesVictim:     {unmaking, "unmaking en-passant captures ~ does not put the captured pawn back"},
	KeepsRookBack:   {unmaking, "unmaking castling moves ~ does not move the rook back"},
	KeepsPromoted:   {unmaking, "unmaking promotions ~ leaves the promoted piece in place of the pawn"},
	StaleKingBack:   {unmaking, "after unmaking king moves ~ the king is sought on its target"},

	HashesNoEnPassant: {hashing, "counts are remembered by a hash key without the en-passant square"},
	HashesNoRights:    {hashing, "counts are remembered by a hash key without the castling rights"},
	HashesNoDepth:     {hashing, "counts are remembered by a hash key without the depth"},
}

// Mistake is a part that is wrong whenever all conditions hold.
type Mistake struct {
	Part Part
	When []Condition
}

// Sentence describes the mistake in plain English.
func (m Mistake) Sentence() string {
	text := partTable[m.Part].sentence
	before, after, needsNoun := strings.Cut(text, "#")
	if !needsNoun {
		before, after, _ = strings.Cut(text, "~")
	}
	var always, ifs []Condition
	for _, c := range m.When {
		if strings.HasPrefix(traits[c.Trait].words[c.Value], "|if ") {
			ifs = append(ifs, c)
		} else {
			always = append(always, c)
		}
	}
	words := phrase(always, needsNoun)
	if needsNoun && words == "moves" && len(ifs) > 0 { // they are about castling
		words = "castling moves"
	}
	if m.Part == Exposes && !slices.ContainsFunc(m.When, func(c Condition) bool {
		return slices.Contains(tellAttack, traits[c.Trait].name)
	}) {
		words += " that leave the king attacked"
	}
	after += " " + phrase(ifs, false)
	return strings.Join(strings.Fields(before+words+after), " ")
}

// String formats the mistake for tests and messages: "refuses piece=knight side=black".
func (m Mistake) String() string {
	text := fmt.Sprint(uint8(m.Part))
	for _, c := range m.When {
		text += " " + c.String()
	}
	return text
}

// faults are the mistakes of a generator, by part.
type faults struct {
	any             [habits]bool
	when            [habits][][]Condition
	unmakes, hashes bool
	table           map[hashKey]uint64
	order           uint8
	place           func(Move) int                // of a move at the root in the program's list; or nil
	seen            func(Part, Move, []Condition) // is told the traits of each move at which a part may be wrong; or nil
}

func newFaults(mistakes []Mistake) *faults {
	if len(mistakes) == 0 {
		return nil
	}
	f := &faults{}
	for _, m := range mistakes {
		f.unmakes = f.unmakes || partTable[m.Part].stage == unmaking
		if partTable[m.Part].stage == hashing {
			f.hashes, f.table = true, make(map[hashKey]uint64)
		}
		if m.Part == Ordered {
			f.order = m.When[0].Value
		}
		f.any[m.Part] = true
		f.when[m.Part] = append(f.when[m.Part], m.When)
	}
	return f
}

// may reports whether a part is wrong at times.
func (b *Board) may(p Part) bool { return b.faults != nil && b.faults.any[p] }

// is reports whether a part is wrong for a move.
func (b *Board) is(p Part, m Move) bool {
	if !b.may(p) {
		return false
	}
	v := view{Board: b, Move: m}
	if b.faults.seen != nil {
		b.faults.seen(p, m, v.conditions())
	}
	return slices.ContainsFunc(b.faults.when[p], func(when []Condition) bool {
		return !slices.ContainsFunc(when, func(c Condition) bool { return !v.holds(c) })
	})
}

// Watch has seen called with the traits of each move at which a part of a mistake may be wrong.
func (b *Board) Watch(seen func(Part, Move, []Condition)) { b.faults.seen = seen }

// Place sets the order of the moves at the root.
func (b *Board) Place(place func(Move) int) {
	if b.faults != nil && (b.faults.unmakes || b.faults.hashes) {
		b.faults.place = place
	}
}

// Parts returns the parts that may be wrong, those of the state apart: whose mistakes depend on
// what the generator has counted before.
func Parts(state bool) (all []Part) {
	for p := Refuses; p < parts; p++ {
		if state == (partTable[p].stage >= unmaking) {
			all = append(all, p)
		}
	}
	return all
}

// Cost orders mistakes: the fewest conditions first, and among these the plainest.
func (m Mistake) Cost() int {
	cost := 1000*len(m.When) + 5*int(m.Part)
	for _, c := range m.When {
		cost += int(c.Trait)
	}
	return cost
}

// Lists reports whether a part lists moves, so that a wrong list tells at which moves it is wrong.
func (p Part) Lists() bool { return Refuses <= p && p < OuterRook }
