// Pricing
