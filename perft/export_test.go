package perft

// AddStatistics is for tests.
var AddStatistics = (*Statistics).add
