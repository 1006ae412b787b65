// The whole extension: VS Code has no setting for language servers, so something must start this one.
const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

exports.activate = () => {
  const command = workspace.getConfiguration('policy').get('path');
  client = new LanguageClient(
    'policy',
    'Policy',
    { command, args: ['lsp'] },
    { documentSelector: [{ language: 'yaml', scheme: 'file' }] },
  );
  return client.start();
};

exports.deactivate = () => client?.stop();
