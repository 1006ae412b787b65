/** The names of options in the words of a command line. */
export function optionNames(words: readonly string[]): readonly string[] {
  return words.filter(isOption).map(nameOf);
}

/** The words without those options and their values. */
export function withoutOptions(words: readonly string[], names: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let isOut = false;
  for (const word of words) {
    if (isOption(word)) isOut = names.includes(nameOf(word));
    if (!isOut) kept.push(word);
  }
  return kept;
}

function isOption(word: string): boolean {
  return word.startsWith('--');
}

function nameOf(word: string): string {
  return word.split('=')[0] ?? word;
}
