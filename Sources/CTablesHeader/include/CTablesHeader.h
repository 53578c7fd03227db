#pragma once

#include <stddef.h>

/// A table of facts as it stands in `tables/`: CSV or TSV, UTF-8, LF.
typedef struct CTable {
  const unsigned char *_Nonnull bytes;
  size_t count;
} CTable;

/// Apple's 175 storefronts: ids, currency, seller, time zone, territory.
CTable ctables_storefronts(void);
/// The time zone of each territory that Apple counts days in.
CTable ctables_territories(void);
/// Currencies of the storefronts that have had more than one.
CTable ctables_currencies(void);
/// Taxes inside prices and further deductions, by storefront, currency, date and developer.
CTable ctables_taxes(void);
/// Price lists that follow the US list.
CTable ctables_us_copies(void);
/// The documented terms: Apple's commission by storefront, platform, class, date and agreement.
CTable ctables_terms(void);
/// Factors of Apple's own price lists that were rounded up, by storefront and span.
CTable ctables_factors(void);
/// Tiers, subscription prices and price points of mainland China.
CTable ctables_tiers(void);
/// Lists of tiers of 2012 to 2019 outside mainland China, and of price points.
CTable ctables_matrices(void);
/// Texts by key: the key, the English, the Chinese; TSV, ascending by key.
CTable ctables_texts(void);
/// What is known of each finding code, and its texts as ``ctables_texts`` has the others; TSV.
CTable ctables_findings(void);
/// What the other tables say in words, in Chinese: names of storefronts and regions, and what a
/// fact is known by; TSV. Countries are called as CLDR 42 calls them, regions and those that Apple
/// calls otherwise as Apple's own localised payment files do.
CTable ctables_facts(void);
/// Regions of the financial reports: currencies, names in the payments summary.
CTable ctables_finance_regions(void);
