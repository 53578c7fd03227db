// PricingTests
