import { takeChars } from '../../reading/bounds.ts';
import { fillPlaceholders, withPlaceholders } from '../../reading/placeholders.ts';
import type { Span } from '../../reading/reading.ts';
import { knownText, originsOf, type Word, withoutWildcards } from '../../reading/word.ts';
import { addRemoteCode } from '../../shell/run/shell-text.ts';
import type { Call, Walker } from '../../shell/scope/walker.ts';
import { contentOf } from '../interpret/input-text.ts';
import { runInner } from '../interpret/run-inner.ts';

/** Settings of ssh whose value is run here. */
const COMMAND = /^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)(?:\s*=\s*|\s+)(\S.*)$/i;
const CONDITIONS = /^\s*Match\s/i;
/** `Match host h exec "command"`: what stands behind the word, quotes taken off. */
const CONDITION = /\s!?exec\s+(?:"([^"]*)"|(\S+))/gi;

const INCLUDES = /^\s*Include(?:\s*=\s*|\s+)(\S+)/i;
/** Configurations within configurations that are read; ssh itself follows as many. */
const MAX_DEPTH = 16;

/** What a configuration of ssh's has run, as far as the script tells what is in it. */
export function readSshConfig(file: Word, call: Call, span: Span, walker: Walker, depth = 0): void {
  const content = contentOf(file, call, walker);
  if (content === undefined || depth > MAX_DEPTH) return;
  addRemoteCode(call.command, originsOf(content), span, walker);
  const { text, placeholders } = withPlaceholders(withoutWildcards(content));
  if (!takeChars(walker.budget, text.length + 1)) return;
  for (const line of text.split('\n')) {
    const included = INCLUDES.exec(line)?.[1];
    if (included !== undefined)
      readSshConfig(fillPlaceholders(included, placeholders), call, span, walker, depth + 1);
    for (const script of commandsIn(line)) {
      const command = fillPlaceholders(script, placeholders);
      if (knownText(command)?.toLowerCase() !== 'none') runInner(call, command, span, walker);
    }
  }
}

function commandsIn(line: string): readonly string[] {
  const command = COMMAND.exec(line)?.[1];
  if (command !== undefined) return [command];
  if (!CONDITIONS.test(line)) return [];
  return [...line.matchAll(CONDITION)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}
