import { hasWildcard, isAny } from './command-pattern.ts';
import type { ImportedSubject } from './imported.ts';

/** Programs that run whatever they are given: to allow them is to allow everything. */
const RUNS_ANYTHING =
  /^(?:(?:ba|z|da|k|fi)?sh|env|xargs|sudo|doas|su|eval|exec|source|\.|python[\d.]*|node|deno|bun|ruby|perl|php|lua|osascript|npx|bunx|pnpx|uvx|ssh|awk|gawk|pwsh|powershell|find|parallel|watch|nix-shell|tclsh|expect|Rscript|julia|script|setsid|strace|busybox|chroot)$/;

/** Programs of many subcommands, of which some do great harm. */
const BROAD =
  /^(?:git|gh|glab|npm|pnpm|yarn|pip3?|uv|poetry|cargo|go|make|docker|podman|kubectl|helm|terraform|tofu|aws|gcloud|az|curl|wget|rm|mv|cp|chmod|chown|dd|kill|systemctl|brew|apt|apt-get|rsync|scp|psql|mysql|sed|tee|ansible.*)$/;

/** Why a rule that allows this is wider than it seems; undefined if it is not. */
export function widthOf(
  subject: ImportedSubject,
): { readonly why: string; readonly isImported: boolean } | undefined {
  if (subject.kind === 'outside') return { why: 'it allows every path', isImported: false };
  if (subject.kind === 'url')
    return /^\*+$/.test(subject.url) ? { why: 'it allows every address', isImported: false } : undefined;
  if (subject.kind === 'path') {
    const all = subject.approved.some((glob) => /^(?:\/|~\/)?\*+(?:\/\*+)*$/.test(glob) || glob === '/');
    return all ? { why: 'it allows every path', isImported: false } : undefined;
  }
  if (subject.kind === 'tool') {
    const all = subject.names.some((name) => /^[^a-z]*(?:mcp__?)?\*+$/i.test(name));
    if (all) return { why: 'it allows every tool', isImported: false };
    if (subject.names.some((name) => WHOLE.includes(name)))
      return { why: 'it allows every use of the tool', isImported: false };
    return subject.names.some(hasWildcard)
      ? { why: 'it allows every tool of a server', isImported: true }
      : undefined;
  }
  const { pattern } = subject;
  const [[program = ''] = [], second] = pattern.words;
  if (isAny(pattern)) return { why: 'it allows every command', isImported: false };
  if (hasWildcard(program)) return { why: 'it allows whatever program fits', isImported: false };
  const names = pattern.words[0] ?? [];
  const runs = names.find((name) => RUNS_ANYTHING.test(name));
  if (runs !== undefined && pattern.rest)
    return { why: `${runs} runs whatever it is given`, isImported: false };
  const broad = names.find((name) => BROAD.test(name));
  if (broad !== undefined && second === undefined && pattern.rest)
    return { why: `${broad} does far more than read`, isImported: true };
  return undefined;
}

const WHOLE =
  'Edit Write Read edit write read read_file write_file replace WebFetch webfetch web_fetch'.split(' ');
