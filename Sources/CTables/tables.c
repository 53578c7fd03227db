#include "CTablesHeader.h"

// SwiftPM compiles C as gnu17, where clang calls the C23 directive an extension.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char storefronts[] = {
#embed "tables/storefronts.csv"
};
static const unsigned char territories[] = {
#embed "tables/territories.csv"
};
static const unsigned char currencies[] = {
#embed "tables/currencies.csv"
};
static const unsigned char taxes[] = {
#embed "tables/taxes.csv"
};
static const unsigned char us_copies[] = {
#embed "tables/us_copies.csv"
};
static const unsigned char terms[] = {
#embed "tables/terms.csv"
};
static const unsigned char factors[] = {
#embed "tables/factors.csv"
};
static const unsigned char tiers[] = {
#embed "tables/tiers.csv"
};
static const unsigned char matrices[] = {
#embed "tables/matrices.csv"
};
static const unsigned char texts[] = {
#embed "tables/texts.tsv"
};
static const unsigned char findings[] = {
#embed "tables/findings.tsv"
};
static const unsigned char facts[] = {
#embed "tables/facts.tsv"
};
static const unsigned char finance_regions[] = {
#embed "tables/finance_regions.csv"
};

CTable ctables_storefronts(void) { return (CTable){storefronts, sizeof storefronts}; }
CTable ctables_territories(void) { return (CTable){territories, sizeof territories}; }
CTable ctables_currencies(void) { return (CTable){currencies, sizeof currencies}; }
CTable ctables_taxes(void) { return (CTable){taxes, sizeof taxes}; }
CTable ctables_us_copies(void) { return (CTable){us_copies, sizeof us_copies}; }
CTable ctables_terms(void) { return (CTable){terms, sizeof terms}; }
CTable ctables_factors(void) { return (CTable){factors, sizeof factors}; }
CTable ctables_tiers(void) { return (CTable){tiers, sizeof tiers}; }
CTable ctables_matrices(void) { return (CTable){matrices, sizeof matrices}; }
CTable ctables_texts(void) { return (CTable){texts, sizeof texts}; }
CTable ctables_findings(void) { return (CTable){findings, sizeof findings}; }
CTable ctables_facts(void) { return (CTable){facts, sizeof facts}; }
CTable ctables_finance_regions(void) {
  return (CTable){finance_regions, sizeof finance_regions};
}
