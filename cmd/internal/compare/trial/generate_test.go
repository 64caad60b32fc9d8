package trial

import "slices"

var (
	knightSteps = []int{33, 31, 18, 14, -14, -18, -31, -33}
	rookSteps   = []int{1, -1, 16, -16}
	bishopSteps = []int{15, 17, -15, -17}
	kingSteps   = slices.Concat(rookSteps, bishopSteps)
	steps       = [...][]int{knight: knightSteps, bishop: bishopSteps, rook: rookSteps, queen: kingSteps, king: kingSteps}
)

// reach[to-from+128] tells which pieces attack a square from another on an empty board, a bit for
// each piece, and stride the step of a slider that does.
var (
	reach  [256]uint16
	stride [256]int
)

func init() {
	set := func(pc piece, distance int) { reach[distance+128] |= 1 << pc }
	for _, step := range knightSteps {
		set(knight, step)
		set(knight|black, step)
	}
	for _, step := range kingSteps {
		set(king, step)
		set(king|black, step)
		slider := rook
		if step%16 != 0 && step != 1 && step != -1 {
			slider = bishop
		}
		for n := 1; n < 8; n++ {
			stride[n*step+128] = step
			for _, pc := range []piece{slider, queen} {
				set(pc, n*step)
				set(pc|black, n*step)
			}
		}
	}
	for _, step := range []int{15, 17} {
		set(pawn, step)
		set(pawn|black, -step)
	}
}

// attack reports whether the piece on a square attacks another square.
func (p *position) attack(from, to int) bool {
	pc := p.at[from]
	i := to - from + 128
	if from == to || reach[i]&(1<<pc) == 0 {
		return false
	}
	if k := pc.kind(); k == pawn || k == knight || k == king {
		return true
	}
	step := stride[i]
	if p.has("slider sees six squares") && to == from+7*step {
		return false
	}
	for sq := from + step; sq != to; sq += step {
		if p.at[sq] != none {
			return false
		}
	}
	return true
}

// attacked reports whether a colour attacks a square.
func (p *position) attacked(sq, by int) bool {
	for _, from := range p.list[by][:p.count[by]] {
		if p.attack(from, sq) && !(p.has("pinned piece attacks nothing") && p.pinnedAgainst(from, by)) {
			return true
		}
	}
	return false
}

// pinnedAgainst reports whether a piece is pinned to the king of its colour.
func (p *position) pinnedAgainst(sq, colour int) bool {
	return p.at[sq].kind() != king && p.pins(colour)[sq] != 0
}

// pins returns the step of the pin of each pinned piece of a colour.
func (p *position) pins(colour int) (pinned [128]int8) {
	from := p.king[colour]
	for _, sniper := range p.list[1-colour][:p.count[1-colour]] {
		i := from - sniper + 128
		k := p.at[sniper].kind()
		if k != bishop && k != rook && k != queen || reach[i]&(1<<p.at[sniper]) == 0 {
			continue
		}
		step := stride[i]
		if p.has("queen pins only straight") && k == queen && step%16 != 0 && step != 1 && step != -1 {
			continue
		}
		blocker, blockers := nowhere, 0
		for sq := sniper + step; sq != from; sq += step {
			if p.at[sq] != none {
				blocker = sq
				blockers++
			}
		}
		if blockers == 1 && p.at[blocker].colour() == colour && p.at[blocker] != marker {
			pinned[blocker] = int8(step)
		}
	}
	return pinned
}

// generator lists the moves of a position.
type generator struct {
	*position
	moves  []move
	legal  bool
	pinned [128]int8
	in     bool      // in check
	double bool      // in check by two pieces
	target [128]bool // the squares that end a check
	block  [128]bool // those among them between king and checker
}

// list returns the legal moves, or the pseudo-legal ones.
func (p *position) generate(legal bool) []move {
	g := generator{position: p, legal: legal, moves: make([]move, 0, 64)}
	if p.has("fifty moves end the tree") && p.clock >= 100 {
		return nil
	}
	if legal {
		g.analyse()
	}
	us := p.side
	for _, from := range slices.Clone(p.list[us][:p.count[us]]) {
		switch k := p.at[from].kind(); k {
		case pawn:
			if !g.double {
				g.pawnMoves(from)
			}
		case king:
			g.kingMoves(from)
			if !g.in {
				g.castlingMoves(from)
			}
		case knight, bishop, rook, queen:
			if !g.double {
				g.pieceMoves(from, k)
			}
		}
	}
	if p.has("a list of 100 moves") && len(g.moves) > 100 {
		g.moves = g.moves[:100]
	}
	return g.moves
}

// analyse finds checks and pins.
func (g *generator) analyse() {
	p := g.position
	us, them := p.side, 1-p.side
	if p.has("en-passant square blocks") && p.ep != nowhere && p.at[p.ep] == none {
		p.at[p.ep] = marker
		defer func() { p.at[p.ep] = none }()
	}
	from := p.king[us]
	g.pinned = p.pins(us)
	if p.has("pinned knight moves") && p.at[from].kind() == king {
		for sq := range g.pinned {
			if p.at[sq].kind() == knight {
				g.pinned[sq] = 0
			}
		}
	}
	checkers := 0
	for _, sq := range p.list[them][:p.count[them]] {
		if !p.attack(sq, from) || p.has("pinned piece attacks nothing") && p.pinnedAgainst(sq, them) {
			continue
		}
		if checkers++; checkers > 1 && p.has("double check is the first check") {
			break
		}
		g.target[sq] = true
		if k := p.at[sq].kind(); k == bishop || k == rook || k == queen {
			step := stride[from-sq+128]
			for between := sq + step; between != from; between += step {
				g.target[between], g.block[between] = true, true
			}
		}
	}
	g.in, g.double = checkers > 0, checkers > 1
	if p.has("double check is the first check") {
		g.double = false
	}
	if p.unseen {
		g.in, g.double = false, false
	}
}

// add lists a move of a piece that is not a king, if it keeps the king safe.
func (g *generator) add(m move) {
	if g.legal && !g.allowed(m) {
		return
	}
	g.moves = append(g.moves, m)
}

// allowed reports whether a move of a piece ends the check and keeps a pinned piece on its line.
func (g *generator) allowed(m move) bool {
	if m.special == enPassant {
		return g.allowedEnPassant(m)
	}
	if step := int(g.pinned[m.from]); step != 0 {
		i := m.to - m.from + 128
		if stride[i] != step && stride[i] != -step {
			return false
		}
		if g.has("pinned pawn pushes once") && m.special == doublePush {
			return false
		}
		if g.has("pinned slider stops before the pinner") && g.at[m.to] != none {
			return false
		}
	}
	if !g.in {
		return true
	}
	switch {
	case g.has("double push does not interpose") && m.special == doublePush,
		g.has("promotion does not capture the checker") && m.promotion != none && !g.block[m.to]:
		return false
	}
	return g.target[m.to]
}

// allowedEnPassant reports whether the king is safe after an en-passant capture.
func (g *generator) allowedEnPassant(m move) bool {
	p := g.position
	from, us, them := p.king[p.side], p.side, 1-p.side
	victim := besides(m)
	switch {
	case p.has("en passant does not evade") && g.in:
		return false
	case p.has("en passant opens the rank"):
		if step := int(g.pinned[m.from]); step != 0 && stride[m.to-m.from+128] != step && stride[m.to-m.from+128] != -step {
			return false
		}
		return !g.in || g.target[m.to] || g.target[victim]
	case p.has("en passant refused beside a rook") && from>>4 == m.from>>4:
		for _, sq := range p.list[them][:p.count[them]] {
			if k := p.at[sq].kind(); (k == rook || k == queen) && sq>>4 == from>>4 {
				return false
			}
		}
	}
	mine, theirs := p.at[m.from], p.at[victim]
	p.at[m.from], p.at[victim], p.at[m.to] = none, none, mine
	safe := true
	for _, sq := range p.list[them][:p.count[them]] {
		if sq == victim || !p.attack(sq, p.king[us]) {
			continue
		}
		if p.has("en passant ignores pins") && sq>>4 != from>>4 && !g.in {
			continue
		}
		safe = false
	}
	p.at[m.from], p.at[victim], p.at[m.to] = mine, theirs, none
	return safe
}

// pieceMoves lists the moves of a knight, bishop, rook or queen.
func (g *generator) pieceMoves(from int, k piece) {
	mine := g.at[from] & black
	for _, step := range steps[k] {
		for to := from + step; g.onBoard(to, k); to += step {
			pc := g.at[to]
			if pc == none || pc&black != mine {
				g.add(move{from: from, to: to})
			}
			if pc != none || k == knight {
				break
			}
		}
	}
}

// onBoard reports whether a square is on the board; the board of a mistaken knight is twice as wide.
func (g *generator) onBoard(sq int, k piece) bool {
	return sq&offBoard == 0 || g.has("knight leaves the board") && k == knight && sq > 0 && sq&0x80 == 0
}

// pawnMoves lists the moves of a pawn.
func (g *generator) pawnMoves(from int) {
	us := g.side
	forward, start, last := up, 1, 6
	if us == 1 {
		forward, start, last = -up, 6, 1
	}
	captures := false
	for _, side := range []int{-1, 1} {
		to := from + forward + side
		if to&offBoard != 0 {
			continue
		}
		if pc := g.at[to]; pc != none && pc.colour() != us {
			captures = true
			if g.has("no capturing promotion on h8") && to == h8 {
				continue
			}
			g.pawnMove(from, to, from>>4 == last)
		} else if to == g.ep && pc == none && g.at[to-forward] == pawn|black&^(black*piece(us)) {
			g.add(move{from: from, to: to, special: enPassant})
		}
	}
	to := from + forward
	if to&offBoard != 0 || g.at[to] != none {
		return
	}
	g.pawnMove(from, to, from>>4 == last)
	if from>>4 == start && g.at[to+forward] == none {
		if g.has("no double push if the pawn captures") && captures {
			return
		}
		g.add(move{from: from, to: to + forward, special: doublePush})
	}
}

// pawnMove lists a pawn's step, or four promotions.
func (g *generator) pawnMove(from, to int, promotes bool) {
	if !promotes {
		g.add(move{from: from, to: to})
		return
	}
	for _, k := range []piece{queen, rook, bishop, knight} {
		if g.has("no promotion to a bishop by capture") && k == bishop && to&15 != from&15 {
			continue
		}
		g.add(move{from: from, to: to, promotion: k})
	}
}

// kingMoves lists the steps of the king.
func (g *generator) kingMoves(from int) {
	us := g.side
	mine := g.at[from]
	if g.legal && !g.has("king shields a diagonal") {
		g.at[from] = none
		defer func() { g.at[from] = mine }()
	}
	for i, step := range kingSteps {
		to := from + step
		if to&offBoard != 0 {
			if g.has("king wraps around") && to&0x80 == 0 && to > 0 && step == 1 {
				to += 8
			}
			if to&offBoard != 0 {
				continue
			}
		}
		pc := g.at[to]
		if pc != none && pc.colour() == us {
			continue
		}
		if g.legal && g.unsafe(from, to, i) {
			continue
		}
		g.moves = append(g.moves, move{from: from, to: to})
	}
}

// unsafe reports whether the king would stand attacked.
func (g *generator) unsafe(from, to, direction int) bool {
	them := 1 - g.side
	if g.has("king shields a diagonal") {
		if direction < len(rookSteps) { // lifted for straight lines only
			mine := g.at[from]
			g.at[from] = none
			defer func() { g.at[from] = mine }()
		}
	}
	if g.has("black king ignores the king") && g.side == 1 || g.has("king captures beside the king") && g.at[to] != none {
		for _, sq := range g.list[them][:g.count[them]] {
			if g.at[sq].kind() != king && g.attack(sq, to) {
				return true
			}
		}
		return false
	}
	if g.has("king captures nothing in double check") && g.double && g.at[to] != none {
		return true
	}
	return g.attacked(to, them)
}

// castlingMoves lists the castling moves of a king that is not in check.
func (g *generator) castlingMoves(from int) {
	us, them := g.side, 1-g.side
	home := e1 + us*7*up
	if from != home {
		return
	}
	mine := g.rights >> (2 * us)
	free := func(squares ...int) bool {
		for _, sq := range squares {
			if g.at[home+sq] != none {
				return false
			}
		}
		return true
	}
	safe := func(squares ...int) bool {
		for _, sq := range squares {
			if g.legal && g.threatened(home+sq, them) {
				return false
			}
		}
		return true
	}
	if mine&whiteShort != 0 && free(1, 2) && safe(1, 2) {
		if !g.has("castling refused if the rook is attacked") || safe(3) {
			g.moves = append(g.moves, move{from: from, to: home + 2, special: castling})
		}
	}
	path := []int{-1, -2, -3}
	if g.has("castling over an occupied b8") && us == 1 {
		path = path[:2]
	}
	if mine&whiteLong != 0 && free(path...) && safe(-1, -2) {
		if g.has("castling refused if b1 is attacked") && !safe(-3) {
			return
		}
		g.moves = append(g.moves, move{from: from, to: home - 2, special: castling})
	}
}

// threatened reports whether castling may not use a square.
func (g *generator) threatened(sq, them int) bool {
	if !g.has("castling ignores pawns") {
		return g.attacked(sq, them)
	}
	for _, from := range g.list[them][:g.count[them]] {
		if g.at[from].kind() != pawn && g.attack(from, sq) {
			return true
		}
	}
	return false
}
