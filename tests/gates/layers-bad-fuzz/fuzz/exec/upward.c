/* exec must not see the campaign. */
#include "fuzz/campaign/campaign.h"
