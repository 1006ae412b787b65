import { realpathSync } from 'node:fs';
import { HOSTS } from '../../../hosts/registry.ts';
import type { ServerPorts } from '../../lsp/ports.ts';
import { readOpen } from '../../lsp/read-open.ts';
import { withoutMarks } from '../../report/layout/markdown-text.ts';
import { diagnosticsOf } from '../check/diagnostics-of.ts';
import type { Command } from '../command.ts';
import { findTopic } from '../docs/find-topic.ts';
import { sectionsOf } from '../docs/sections.ts';
import type { Io } from '../io.ts';
import { testFolder } from '../lsp/test-folder.ts';
import { optionsOf } from '../options.ts';
import { compileFor } from '../policy-place.ts';
import { suitePorts } from '../test/suite-ports.ts';
import { VERSION } from '../version.ts';

export const lsp = {
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
