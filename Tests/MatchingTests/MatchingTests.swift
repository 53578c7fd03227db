// MatchingTests
