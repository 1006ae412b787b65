import { setNames } from './callbacks.ts';
import { type Code, isSign, nameAt } from './code.ts';
import { evaluateAt } from './expressions.ts';
import { elementOf, type Value } from './values.ts';

/** How many variables one loop sets at most. */
const MAX_NAMES = 4;

/** `for f in files`, `for (const f of files)`, `foreach (files as $f)`, `for my $f (files)`, `… for files`. */
export function noteLoop(code: Code, at: number): void {
  switch (nameAt(code, at)) {
    case 'in':
    case 'of':
      noteIn(code, at);
      return;
    case 'for':
    case 'foreach':
      if (code.language === 'perl') notePerl(code, at);
      else if (code.language === 'php') notePhp(code, at);
      return;
    default:
  }
}

/** `a, b in pairs`: the names before it. */
function noteIn(code: Code, at: number): void {
  const names: string[] = [];
  let before = at - 1;
  if (isSign(code, before, ')') || isSign(code, before, ']')) before--;
  while (names.length < MAX_NAMES) {
    const name = nameAt(code, before);
    if (name === undefined) return;
    names.unshift(name);
    if (!isSign(code, before - 1, ',')) break;
    before -= 2;
  }
  setNames(code, names, elementOf(evaluateAt(code, at + 1).value));
}

function notePhp(code: Code, at: number): void {
  if (!isSign(code, at + 1, '(')) return;
  const { value, end } = evaluateAt(code, at + 2);
  if (nameAt(code, end) !== 'as') return;
  // `$key => $value`
  const name = nameAt(code, isSign(code, end + 2, '=>') ? end + 3 : end + 1);
  if (name !== undefined) code.variables.set(name, elementOf(value));
}

/** Without a variable of its own a loop of Perl uses `$_`. */
function notePerl(code: Code, at: number): void {
  const isDeclared = /^(?:my|our|local)$/.test(nameAt(code, at + 1) ?? '');
  const own = at + (isDeclared ? 2 : 1);
  const name = isSign(code, own + 1, '(') ? nameAt(code, own) : undefined;
  const hasOwn = name?.startsWith('$') === true;
  const list: Value = evaluateAt(code, hasOwn ? own + 1 : at + 1).value;
  code.variables.set(hasOwn ? name : '$_', elementOf(list));
}
