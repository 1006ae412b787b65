import { type CodeAction, CodeActionKind, type Range, type TextEdit } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { formatYaml } from '../../language/policy/format/format-yaml.ts';
import { policyLayout } from '../../language/policy/format/policy-layout.ts';
import { withFixes } from '../../language/policy/format/with-fixes.ts';
import type { Diagnostic, Fix } from '../../model/diagnostic.ts';
import { TEST_LAYOUT } from '../suite/cases/test-layout.ts';
import { rangeOf, sentDiagnostic } from './protocol.ts';
import type { OpenFile } from './workspace.ts';

/** The edits with which `policy fmt` formats the text; none for a text that it leaves alone or cannot read. */
export function formatEdits({ kind, text, path }: OpenFile, document: TextDocument): readonly TextEdit[] {
  const result = formatYaml(text, path, kind === 'test' ? TEST_LAYOUT : policyLayout());
  return result.type === 'formatted' ? editsTo(result.text, text, document) : [];
}

/** The fixes of findings in a range: the word that was meant, and `policy check --fix` for each of them and for all of the file. */
export function fixActions(file: OpenFile, document: TextDocument, range: Range): readonly CodeAction[] {
  const fixable = file.diagnostics.filter(hasFix);
  const meant = file.diagnostics.flatMap((diagnostic) =>
    touches(rangeOf(diagnostic.position), range) ? meantAction(diagnostic, document) : [],
  );
  if (fixable.length === 0) return meant;
  const { uri } = document;
  const single = fixable
    .filter(({ position }) => touches(rangeOf(position), range))
    .map((diagnostic): CodeAction => {
      const edits = diagnostic.fix.edits.map(({ start, end, text }) => ({
        range: { start: document.positionAt(start), end: document.positionAt(end) },
        newText: text,
      }));
      return {
        title: `Fix ${diagnostic.code}: ${diagnostic.hint ?? diagnostic.message}`,
        kind: CodeActionKind.QuickFix,
        diagnostics: [sentDiagnostic(diagnostic)],
        edit: { changes: { [uri]: edits } },
      };
    });
  const { text } = withFixes(
    file.text,
    fixable.map(({ fix }) => fix),
  );
  const all: CodeAction = {
    title: 'Fix all findings of policy check that can be fixed',
    kind: CodeActionKind.SourceFixAll,
    edit: { changes: { [uri]: [...editsTo(text, file.text, document)] } },
  };
  return [...meant, ...single, all];
}

/** Writes the word that a finding takes another for: it is one guess, so it is never among the fixes for all. */
function meantAction(diagnostic: Diagnostic, document: TextDocument): readonly CodeAction[] {
  const [, meant] = /^did you mean "([^"\n]+)"\?/.exec(diagnostic.hint ?? '') ?? [];
  const range = rangeOf(diagnostic.position);
  const [, quote = '', word = '', closing = ''] = /^(["']?)(.*?)(["']?)$/.exec(document.getText(range)) ?? [];
  // If the place is about more than the word, the hint is for people.
  if (meant === undefined || word === '' || quote !== closing || !diagnostic.message.includes(`"${word}"`))
    return [];
  return [
    {
      title: `Write "${meant}" for "${word}"`,
      kind: CodeActionKind.QuickFix,
      isPreferred: true,
      diagnostics: [sentDiagnostic(diagnostic)],
      edit: { changes: { [document.uri]: [{ range, newText: `${quote}${meant}${quote}` }] } },
    },
  ];
}

function hasFix(diagnostic: Diagnostic): diagnostic is Diagnostic & { readonly fix: Fix } {
  return diagnostic.fix !== undefined;
}

function touches(a: Range, b: Range): boolean {
  return a.start.line <= b.end.line && b.start.line <= a.end.line;
}

/** One edit, from the first to the last difference: a cursor outside of it does not move. */
function editsTo(wanted: string, text: string, document: TextDocument): readonly TextEdit[] {
  if (wanted === text) return [];
  const most = Math.min(wanted.length, text.length);
  let start = 0;
  while (start < most && wanted[start] === text[start]) start += 1;
  let end = 0;
  while (end < most - start && wanted[wanted.length - 1 - end] === text[text.length - 1 - end]) end += 1;
  const range = { start: document.positionAt(start), end: document.positionAt(text.length - end) };
  return [{ range, newText: wanted.slice(start, wanted.length - end) }];
}
