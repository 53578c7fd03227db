// BillingTests
