// TidyTests
