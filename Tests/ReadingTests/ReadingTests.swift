// ReadingTests
