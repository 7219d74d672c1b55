/* A layer that reaches up. */
#include "gc-core/mark/mark.h"
