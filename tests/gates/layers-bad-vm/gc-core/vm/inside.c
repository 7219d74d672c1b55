/* The VM must not see inside the collector. */
#include "gc-core/page/page.h"
