const ONLY_ASCII = /^[\t\n\r\x20-\x7e]*$/;

/** False if a text is certainly not suspicious. By itself: the patterns that tell more are costly to make. */
export function mayBeSuspicious(text: string): boolean {
  return !ONLY_ASCII.test(text);
}
