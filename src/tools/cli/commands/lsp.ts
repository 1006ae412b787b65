import { realpathSync } from 'node:fs';
import { HOSTS } from '../../../hosts/registry.ts';
import {
  MAX_FILE_BYTES,
  type ReadFile,
  readRealFile,
  TOO_LARGE,
} from '../../../language/policy/files/read-file.ts';
import type { RunCase, ServerPorts, TestRun } from '../../lsp/ports.ts';
import { withoutMarks } from '../../report/layout/markdown-text.ts';
import { runSuite, type SuiteObserver, type SuitePorts } from '../../suite/run-suite.ts';
import { diagnosticsOf } from '../check/diagnostics-of.ts';
import type { Command } from '../command.ts';
import { findTopic } from '../docs/find-topic.ts';
import { sectionsOf } from '../docs/sections.ts';
import { type Io, UsageError } from '../io.ts';
import { optionsOf } from '../options.ts';
import { compileFor } from '../policy-place.ts';
import { findSuites } from '../test/find-suites.ts';
import { suitePorts } from '../test/suite-ports.ts';
import { VERSION } from '../version.ts';

export const lsp = {
  isLong: true,
  options: optionsOf({ '--stdio': 'Use standard input and output; this is the default' }),
  details: [
    'Editors start this. They show the findings of policy check while you type, complete and explain keys, programs and\nids, format files and run tests. docs/editors.md explains how to set up yours.',
  ],
  example: ['$ policy lsp', '(waits for an editor)'],
  async run(_args, io) {
    const { serve } = await import('../../lsp/serve.ts');
    return serve(portsOf(io), VERSION);
  },
} satisfies Command;

function portsOf(io: Io): ServerPorts {
  return {
    check: ({ named, directory }, open) => {
      const readFile = readOpen(open);
      const compiled = compileFor({ ...io, cwd: directory }, named, directory, readFile);
      return {
        compiled,
        diagnostics: diagnosticsOf(compiled, {
          named,
          hosts: HOSTS,
          io: { ...io, cwd: directory },
          readFile,
        }),
      };
    },
    test: (folder, open) => testFolder(folder, suitePorts({ ...io, cwd: folder }, readOpen(open))),
    explain: async (code) => {
      const { DOCS } = await import('../../generated/docs-texts.ts');
      const lines = findTopic(`lint#${code}`, sectionsOf('lint', DOCS['lint'] ?? ''))?.lines;
      return lines && withoutMarks(lines).join('\n').trim();
    },
    realPath: (path) => {
      try {
        return realpathSync(path);
      } catch {
        return undefined;
      }
    },
  };
}

/**
 * Reads files as they are in an editor, the others from the disk. The bounds are the same for both.
 *
 * @param open the texts of the editor by their paths without links
 */
function readOpen(open: ReadonlyMap<string, string>): ReadFile {
  return (path, mayRead = () => true) => {
    const text = open.get(path);
    if (text === undefined) return readRealFile(path, mayRead);
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_FILE_BYTES) return { ok: false, cause: TOO_LARGE };
    return mayRead(bytes) ? { ok: true, path, text } : { ok: false, cause: 'it must not be read' };
  };
}

/** Does the same as `policy test FOLDER`, and notes which policies each case was about. */
function testFolder(folder: string, ports: SuitePorts): TestRun {
  const cases: RunCase[] = [];
  const problems: string[] = [];
  let about = new Set<string>();
  const observer: SuiteObserver = {
    loaded: () => {},
    exampleRun: ({ id }) => about.add(id),
    answered: (_test, { earlier, answer }) => {
      for (const { outcome } of [...earlier, answer])
        for (const { rule } of outcome?.hits ?? []) about.add(rule.id);
    },
  };
  try {
    for (const plan of findSuites([folder], folder)) {
      for (const event of runSuite(plan, { observer }, ports)) {
        if (event.type === 'problems') problems.push(...event.diagnostics.map(({ message }) => message));
        if (event.type !== 'case') continue;
        cases.push({ result: event.result, about });
        about = new Set();
      }
    }
  } catch (error) {
    // There is nothing to test here, or no longer.
    if (!(error instanceof UsageError)) throw error;
    problems.push(error.message);
  }
  return { cases, problems };
}
