/** The results of a function for short texts, as texts of agents repeat: for at most so many of them. */
export interface TextMemo {
  readonly of: (text: string) => string;
  readonly knows: (text: string) => boolean;
  /** Gives the result for a text without the function. */
  readonly keep: (text: string, result: string) => void;
}

const MAX_TEXTS = 256;
const MAX_CHARS = 1_024;

/** @param make its results must depend on nothing but the text */
export function createTextMemo(make: (text: string) => string): TextMemo {
  const kept = new Map<string, string>();
  const keep: TextMemo['keep'] = (text, result) => {
    if (text.length > MAX_CHARS) return;
    if (kept.size >= MAX_TEXTS) kept.clear();
    kept.set(text, result);
  };
  return {
    of: (text) => {
      const known = kept.get(text);
      if (known !== undefined) return known;
      const result = make(text);
      keep(text, result);
      return result;
    },
    knows: (text) => kept.has(text),
    keep,
  };
}
