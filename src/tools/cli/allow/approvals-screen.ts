import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isUpKey,
  type KeypressEvent,
  useEffect,
  useKeypress,
  usePagination,
  useState,
} from '@inquirer/core';
import type { RefusedCall } from '../../../model/grant.ts';
import { callText, refusedCallText } from '../../report/allow.ts';
import type { Paint } from '../../report/layout/paint.ts';
import { printable, printableCut } from '../../report/layout/printable.ts';

const REFRESH_MS = 500;
/** Lines of the screen that are not the list. */
const LINES_AROUND = 6;
const MIN_ROWS = 3;
/** The space that a line has beside the call. */
const CODE_WIDTH = 11;

/** The calls that the screen shows, and the actions of its keys. */
export interface Approvals {
  /** The calls that wait for an answer, latest first. */
  readonly load: () => readonly RefusedCall[];
  /** Why nobody can let a call pass; undefined if somebody can. */
  readonly problem: (refused: RefusedCall) => string | undefined;
  /** Lets a call pass once and says so. */
  readonly once: (refused: RefusedCall) => string;
  /** The exception that lets a call pass always. Throws if there can be none. */
  readonly draft: (refused: RefusedCall) => { readonly text: string; readonly write: () => string };
  readonly paint: Paint;
  readonly rows: number;
  readonly columns: number;
}

type Mode =
  | { readonly type: 'list' }
  | { readonly type: 'explain'; readonly refused: RefusedCall }
  | {
      readonly type: 'confirm';
      readonly shown: string;
      readonly question: string;
      readonly act: () => string;
    };

/** The list until it is left. */
export const approvalsScreen = createPrompt<undefined, Approvals>((approvals, done) => {
  const { load, paint, rows, columns } = approvals;
  const [calls, setCalls] = useState<readonly RefusedCall[]>(load());
  const [at, setAt] = useState(0);
  const [mode, setMode] = useState<Mode>({ type: 'list' });
  const [status, setStatus] = useState('');
  useEffect(() => {
    const timer = setInterval(() => setCalls(load()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const active = Math.min(at, Math.max(calls.length - 1, 0));
  const selected = calls[active];

  useKeypress((key) => {
    try {
      if (mode.type === 'confirm') {
        setStatus(key.name === 'y' ? mode.act() : 'Not allowed');
        setMode({ type: 'list' });
        setCalls(load());
      } else if (key.name === 'q' || key.name === 'escape') {
        if (mode.type === 'list') done(undefined);
        else setMode({ type: 'list' });
      } else if (isUpKey(key, ['vim'])) setAt(Math.max(active - 1, 0));
      else if (isDownKey(key, ['vim'])) setAt(Math.min(active + 1, Math.max(calls.length - 1, 0)));
      else if (selected !== undefined) {
        const chosen = choose(key, selected, approvals);
        setStatus(chosen.status ?? '');
        setMode(chosen.mode ?? mode);
      }
    } catch (error) {
      setStatus(error instanceof Error ? error.message : String(error));
      setMode({ type: 'list' });
    }
  });

  const list = usePagination({
    items: calls,
    active,
    pageSize: Math.max(rows - LINES_AROUND, MIN_ROWS),
    loop: false,
    renderItem: ({ item, isActive }) => {
      const text = printableCut(callText(item.call), Math.max(columns - CODE_WIDTH, CODE_WIDTH));
      return isActive ? paint.bold(`> ${item.code} ${text}`) : `  ${item.code} ${text}`;
    },
  });
  switch (mode.type) {
    case 'confirm':
      return `${mode.shown}\n${paint.bold(mode.question)}`;
    case 'explain':
      return `${explanation(mode.refused, paint)}\n\n${paint.dim('q back')}`;
    case 'list': {
      const shown = calls.length === 0 ? 'Nothing was refused within a day' : list;
      const keys = paint.dim('up and down choose · o once · a always · e explain · q quit');
      return `${paint.bold('Refused calls')}\n\n${shown}\n\n${status}\n${keys}`;
    }
    default:
      return mode satisfies never;
  }
});

/** Carries out a key with the selected call, which stays selected whatever comes in meanwhile. */
function choose(
  key: KeypressEvent,
  refused: RefusedCall,
  { problem, once, draft, paint }: Approvals,
): { readonly mode?: Mode; readonly status?: string } {
  if (key.name === 'e') return { mode: { type: 'explain', refused } };
  const wantsOnce = key.name === 'o' || isEnterKey(key);
  if (!wantsOnce && key.name !== 'a') return {};
  const status = problem(refused);
  if (status !== undefined) return { status };
  const shown = refusedCallText(refused, undefined, paint);
  if (wantsOnce) {
    const question = 'Let it pass once, within an hour? [y/N]';
    return { mode: { type: 'confirm', shown, question, act: () => once(refused) } };
  }
  const { text, write } = draft(refused);
  const question = 'Let it pass always? [y/N]';
  return { mode: { type: 'confirm', shown: shown + text, question, act: write } };
}

function explanation(refused: RefusedCall, paint: Paint): string {
  const policies = refused.policies.map(
    ({ id, layer, locked }) => `  ${printable(id)} (${layer}${locked ? ', locked' : ''})`,
  );
  const when = `Refused at ${new Date(refused.refusedMs).toISOString()} by`;
  return `${refusedCallText(refused, undefined, paint)}\n${[when, ...policies].join('\n')}`;
}
