/* A second world in the process would share this. */
static unsigned long mark_count;

void mark_once(void);

void
mark_once(void)
{
  mark_count++;
}
