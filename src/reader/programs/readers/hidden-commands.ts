import { EMPTY_WORD, knownText, leadingText, originsOf, textWord } from '../../reading/word.ts';
import { addRemoteCode } from '../../shell/run/shell-text.ts';
import type { ProgramReader } from '../../shell/scope/interpreter.ts';
import { argumentSpan } from '../interpret/effects-of-words.ts';
import { flagValue } from '../interpret/flags.ts';
import { isStandardInput } from '../interpret/input-text.ts';
import { runInner } from '../interpret/run-inner.ts';

/** `crontab file`, `at -f file`, and both with the script on standard input. */
const schedule: ProgramReader = (call) => {
  const { input } = call.command;
  const reads = call.command.name !== 'crontab' || call.args.some((arg) => knownText(arg.word) === '-');
  if (input === undefined || !reads) return undefined;
  const known = knownText(input);
  const script =
    call.command.name === 'crontab' && known !== undefined
      ? textWord(known.replace(/^(?:@\w+|(?:\S+\s+){5})/gm, ''))
      : input;
  runInner(call, script, call.span);
  return undefined;
};

/** `host:container:mode`; the colon of a drive is part of the host's path. */
const VOLUME = /^((?:[A-Za-z]:(?=[\\/]))?[^:]*)(?::(?:[A-Za-z]:(?=[\\/]))?[^:]*)?(?::(.*))?$/s;

/** Mounts of containers: a mounted folder can be written inside. */
const container: ProgramReader = (call) => {
  for (const { name, value, arg } of call.parsed.flags) {
    if (value === undefined || !/^(?:-v|--volume|--device|--mount)$/.test(name)) continue;
    const known = knownText(value) ?? leadingText(value);
    // `-v host:container:ro`, `--mount type=bind,source=host,readonly`.
    const isMount = name === '--mount' && /(?:^|,)type=bind(?:,|$)/.test(known);
    const [, bound = ''] = (isMount && /(?:^|,)(?:source|src)=([^,]+)/.exec(known)) || [];
    const [, host = '', mode = ''] = name === '--mount' ? ['', bound] : (VOLUME.exec(known) ?? []);
    // A name without a slash is that of a volume.
    if (host === '' || (!isMount && !/^(?:[./~]|[A-Za-z]:)/.test(host))) continue;
    const isRead = isMount ? /(?:^|,)(?:readonly|ro)(?:,|$|=true)/.test(known) : mode.includes('ro');
    const span = argumentSpan(call, arg);
    const recursive = name !== '--device';
    // Not every shell expands `~` in `~:/work`; an author who writes it means it.
    const path = host.replace(/^~(?=\/|$)/, call.interpreter.context.home ?? '~');
    call.interpreter.path(call.command, isRead ? 'read' : 'write', textWord(path), { recursive, span });
  }
  return undefined;
};

/** Recipes that make reads from its input are not read. */
const make: ProgramReader = ({ command, parsed, span, interpreter }) => {
  const file = flagValue(parsed, '-f', '--file', '--makefile') ?? EMPTY_WORD;
  if (knownText(file) !== '-' && !isStandardInput(file)) return undefined;
  addRemoteCode(command, originsOf(command.input ?? EMPTY_WORD), span, interpreter);
  interpreter.gap('unknown_script', span, 'Cannot tell what the recipes run that make is given');
  return undefined;
};

/** Programs that take commands or folders where one would not look for them. */
export const HIDDEN_COMMAND_READERS: Readonly<Record<string, ProgramReader>> = {
  crontab: schedule,
  at: schedule,
  batch: schedule,
  docker: container,
  podman: container,
  nerdctl: container,
  'docker-compose': container,
  'podman-compose': container,
  make,
  gmake: make,
};
