import { knownText, leadingText, textWord, type Word } from '../../reading/word.ts';
import type { Call } from '../../shell/scope/interpreter.ts';

/** `host:container:mode`; the colon of a drive is part of the host's path. */
const VOLUME = /^((?:[A-Za-z]:(?=[\\/]))?[^:]*)(?::(?:[A-Za-z]:(?=[\\/]))?[^:]*)?(?::(.*))?$/s;

/** Adds a mount of a container, which can write inside: `host:container:ro`, `type=bind,source=host,readonly`. */
export function addMount({ command, interpreter }: Call, word: Word, span: Call['span']): void {
  const known = knownText(word) ?? leadingText(word);
  const isBind = /(?:^|,)type=bind(?:,|$)/.test(known);
  const isMount = /(?:^|,)type=/.test(known);
  const [, bound = ''] = (isBind && /(?:^|,)(?:source|src)=([^,]+)/.exec(known)) || [];
  const [, host = '', mode = ''] = isMount ? ['', bound] : (VOLUME.exec(known) ?? []);
  // A name without a slash is that of a volume.
  if (host === '' || (!isMount && !/^(?:[./~]|[A-Za-z]:)/.test(host))) return;
  const isRead = isMount ? /(?:^|,)(?:readonly|ro)(?:,|$|=true)/.test(known) : mode.includes('ro');
  // Not every shell expands `~` in `~:/work`; an author who writes it means it.
  const path = host.replace(/^~(?=\/|$)/, interpreter.context.home ?? '~');
  interpreter.path(command, isRead ? 'read' : 'write', textWord(path), { recursive: true, span });
}
