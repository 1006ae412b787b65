import { commandsOverlap, coversCommand, globRegex } from './command-pattern.ts';
import type { ImportedDecision, ImportedRule, ImportedSubject } from './imported.ts';
import { widthOf } from './width-of.ts';

const STRENGTH: Readonly<Record<ImportedDecision, number>> = { deny: 2, ask: 1, allow: 0 };

export function isStronger(a: ImportedDecision, b: ImportedDecision): boolean {
  return STRENGTH[a] > STRENGTH[b];
}

/** The rule that decides wherever another one applies, so that this one never does. */
export function ruleAbove(
  rule: ImportedRule,
  rules: readonly ImportedRule[],
  order: 'strictest' | 'first',
): ImportedRule | undefined {
  const at = rules.indexOf(rule);
  return rules.find((other, index) => {
    if (other === rule || (other.modes !== undefined && other.modes.join() !== rule.modes?.join()))
      return false;
    // A rule that is too wide to be imported replaces none that is not.
    if (
      rule.decision === 'allow' &&
      other.decision === 'allow' &&
      widthOf(other.subject)?.isImported === false
    )
      return false;
    if ((other.except ?? []).length > 0 || !covers(other.subject, rule.subject)) return false;
    if (order === 'first') return index < at;
    if (other.decision !== rule.decision) return isStronger(other.decision, rule.decision);
    return index < at || !covers(rule.subject, other.subject);
  });
}

/** True if whatever the second is about, the first one is about too. */
function covers(a: ImportedSubject, b: ImportedSubject): boolean {
  if (a.kind === 'command' && b.kind === 'command') return coversCommand(a.pattern, b.pattern);
  if (a.kind === 'url' && b.kind === 'url')
    return (
      a.url === b.url || /^\*+$/.test(a.url) || (a.url.startsWith('*.') && b.url.endsWith(a.url.slice(1)))
    );
  if (a.kind === 'path' && b.kind === 'path')
    return (
      (a.use === b.use || a.use === 'both') &&
      a.isOutside === b.isOutside &&
      a.except.length === 0 &&
      b.refused.every((glob) => a.refused.some((other) => coversGlob(other, glob)))
    );
  if (a.kind === 'outside')
    return b.kind === 'outside' || (b.kind === 'path' && b.isOutside === true && a.except.length === 0);
  if (a.kind !== 'tool' || a.arguments !== undefined) return false;
  const without = a.without ?? [];
  if (b.kind === 'path') {
    const classed = b.use === 'read' ? READS : WRITES;
    return b.use !== 'both' && !b.isOutside && a.names.some((name) => classed.includes(name));
  }
  if (b.kind === 'url') return a.names.some((name) => FETCHES.includes(name));
  if (b.kind !== 'tool') return false;
  return b.names.every(
    (name) =>
      a.names.some((other) => namesTool(other, name)) && !without.some((other) => mayName(other, name)),
  );
}

const READS = ['Read', 'read', 'view'];
const WRITES = ['Edit', 'edit'];
const FETCHES = ['WebFetch', 'webfetch', 'web_fetch'];

function namesTool(pattern: string, name: string): boolean {
  return pattern === name || new RegExp(`^${globRegex(pattern)}$`).test(name);
}

function mayName(pattern: string, name: string): boolean {
  return namesTool(pattern, name) || namesTool(name, pattern);
}

function coversGlob(a: string, b: string): boolean {
  if (a === b || a === '**' || a === '/**' || (a === './**' && /^(?:\.\/|[^/~.])/.test(b))) return true;
  return a.endsWith('/**') && !a.slice(0, -3).includes('*') && b.startsWith(a.slice(0, -2));
}

/** True if there may be a call that both are about. */
export function subjectsOverlap(a: ImportedSubject, b: ImportedSubject): boolean {
  if (a.kind === 'command' && b.kind === 'command') return commandsOverlap(a.pattern, b.pattern);
  if (a.kind === 'path' && b.kind === 'path')
    return a.isOutside === b.isOutside && (a.use === b.use || a.use === 'both' || b.use === 'both');
  if (a.kind === 'tool' && b.kind === 'tool')
    return a.names.some((name) => b.names.some((other) => mayName(name, other)));
  if (a.kind === 'outside') return b.kind === 'path' && b.isOutside === true;
  if (a.kind === 'tool' && b.kind === 'path') {
    const tools = [...(b.use === 'write' ? [] : READS), ...(b.use === 'read' ? [] : WRITES), '*'];
    return !b.isOutside && a.names.some((name) => tools.includes(name));
  }
  if (a.kind === 'tool' && b.kind === 'url')
    return a.names.some((name) => FETCHES.includes(name) || name === '*');
  return a.kind === 'url' && b.kind === 'url';
}
