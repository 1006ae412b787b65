import { stringEnd } from '../lib/json-strings.ts';

/** An object that is being read: its keys so far, as they are compared. */
interface Open {
  readonly keys: Set<string> | undefined;
  /** The last key that was read. */
  key: string | undefined;
  awaitsKey: boolean;
}

/**
 * The first key of a JSON text that stands twice in one object, or that only its letter case tells from another one there;
 * undefined if there is none. Programs differ in which of them they read. Iterative, and linear in the text.
 *
 * @param text must be JSON
 * @param fold whether letter case tells keys apart in an object, by the keys that lead to it; lists add none
 */
export function ambiguousKey(
  text: string,
  fold: (path: readonly string[]) => boolean = () => true,
): string | undefined {
  const open: Open[] = [];
  const path: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const top = open.at(-1);
    switch (text.charCodeAt(at)) {
      case 34: {
        const end = stringEnd(text, at);
        if (top?.keys !== undefined && top.awaitsKey) {
          const key = String(JSON.parse(text.slice(at, end)));
          const compared = fold(path) ? foldedKey(key) : key;
          if (top.keys.has(compared)) return key;
          top.keys.add(compared);
          top.key = key;
          top.awaitsKey = false;
        }
        at = end - 1;
        break;
      }
      case 123:
        if (top?.key !== undefined) path.push(top.key);
        open.push({ keys: new Set(), key: undefined, awaitsKey: true });
        break;
      case 91:
        if (top?.key !== undefined) path.push(top.key);
        open.push({ keys: undefined, key: undefined, awaitsKey: false });
        break;
      case 125:
      case 93:
        open.pop();
        if (open.at(-1)?.key !== undefined) path.pop();
        break;
      case 44:
        if (top?.keys !== undefined) top.awaitsKey = true;
        break;
      default:
    }
  }
  return undefined;
}

/** The same for keys that a reader takes for one which looks at no letter case: it has `ſ` for `s`, too. */
export function foldedKey(key: string): string {
  return key.toUpperCase().toLowerCase();
}
