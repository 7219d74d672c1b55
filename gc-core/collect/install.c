/* install.c - makes a world whose allocation can collect: the one place where the need that runs
 * upward from the objspace layer is turned round. */
#include "gc-core/collect/collect.h"

struct rgc_world *
rgc_world_create(const struct rgc_config *config)
{
  struct rgc_world *world = world_create(config);

  if (world == NULL)
    return NULL;
  world->hooks.collect = rgc_collect;
  world->hooks.sweep_page = sweep_page;
  return world;
}
