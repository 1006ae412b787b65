import { expect, test } from 'bun:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { ServerPorts } from '../../src/tools/lsp/ports.ts';
import { createWorkspace } from '../../src/tools/lsp/workspace.ts';

test('a defect is shown in the files that cannot be checked for it, in place of what was found before', () => {
  const stop = () => {
    throw new Error('The disk is gone');
  };
  const document = (path: string, text: string) => TextDocument.create(`file://${path}`, 'yaml', 3, text);
  const policy = document('/p/.policy/house.yaml', 'version: 1\n');
  const elsewhere = document('/p/compose.yaml', 'services: {}\n');
  const said = { severity: 1, message: 'Cannot check the file: The disk is gone' };
  const ports: ServerPorts = { check: stop, test: stop, explain: stop, realPath: (path) => path };
  for (const broken of [ports, { ...ports, realPath: stop }]) {
    expect(createWorkspace(broken).refresh([policy, elsewhere], [])).toMatchObject([
      { uri: policy.uri, version: 3, diagnostics: [said] },
    ]);
  }
});
