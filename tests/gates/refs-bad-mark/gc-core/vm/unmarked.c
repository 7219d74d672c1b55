/* `helper` collects and does not say so. */
enum vm_error vm_make(struct vm_thread *t, vm_value *out) VM_COLLECTS;

static enum vm_error
helper(struct vm_thread *t, vm_value *out)
{
  return vm_make(t, out);
}

enum vm_error
vm_twice(struct vm_thread *t, vm_value *out)
{
  return helper(t, out);
}
