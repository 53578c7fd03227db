// SwiftPM takes a folder for C where it has a source.
#include "CTablesHeader.h"
