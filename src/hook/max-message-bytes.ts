/** A message above this size is refused unread: no host sends one, and it must not fill the memory. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
