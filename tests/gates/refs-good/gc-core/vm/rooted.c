/* The local is read again after the call. */
enum vm_error vm_make(struct vm_thread *t, vm_value *out) VM_COLLECTS;

static enum vm_error
wrap(struct vm_thread *t, const vm_value *from, vm_value *out) VM_COLLECTS
{
  vm_value child = *from;
  enum vm_error error;

  if (vm_is_nil(child))
    return VM_TYPE_ERROR;
  error = vm_make(t, out);
  child = *from;
  if (error == VM_OK)
    vm_field_store(t, out, child);
  return error;
}
