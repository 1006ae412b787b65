import type { ProgramSpec, ProgramTable } from './program-spec.ts';

const REMOVE: ProgramSpec = {
  values: '-Path -LiteralPath -Filter -Include -Exclude',
  dashes: 'word',
  rest: 'delete',
  recursive: '-Recurse -recurse -r -Rec',
  flags: { '-Path': 'delete', '-LiteralPath': 'delete' },
};
const READ: ProgramSpec = {
  values: '-Path -LiteralPath -TotalCount -Tail',
  dashes: 'word',
  rest: 'read',
  flags: { '-Path': 'read', '-LiteralPath': 'read' },
};
const FETCH: ProgramSpec = {
  values: '-Uri -OutFile -Method -Body -Headers -InFile -o -Credential',
  dashes: 'word',
  rest: 'download',
  flags: { '-Uri': 'download', '-OutFile': 'write', '-InFile': 'read' },
};

/** Commands of PowerShell and cmd.exe that change files or reach the network, by their names in lower case. */
export const WINDOWS_PROGRAMS: ProgramTable = {
  'remove-item': REMOVE,
  ri: REMOVE,
  del: { ...REMOVE, recursive: '-Recurse -recurse -r /s /S' },
  erase: REMOVE,
  rd: REMOVE,
  'get-content': READ,
  gc: READ,
  'set-content': { ...READ, rest: 'write', flags: { '-Path': 'write', '-LiteralPath': 'write' } },
  'add-content': { ...READ, rest: 'append', flags: { '-Path': 'append', '-LiteralPath': 'append' } },
  'move-item': { dashes: 'word', rest: 'move', last: 'into', recursive: true },
  'copy-item': { dashes: 'word', rest: 'read', last: 'into', recursive: '-Recurse -recurse' },
  'get-childitem': { values: '-Path -Filter', dashes: 'word', rest: 'list', flags: { '-Path': 'list' } },
  gci: { values: '-Path -Filter', dashes: 'word', rest: 'list' },
  'invoke-webrequest': FETCH,
  iwr: FETCH,
  'invoke-restmethod': FETCH,
  irm: FETCH,
  'start-process': {
    values: '-FilePath -ArgumentList',
    dashes: 'word',
    first: ['execute'],
    flags: { '-FilePath': 'execute' },
  },
  'invoke-expression': { dashes: 'none', rest: 'text' },
  iex: { dashes: 'none', rest: 'text' },
  'format-volume': { dashes: 'word', rest: 'write' },
  'clear-disk': { dashes: 'word', rest: 'write' },
  'write-output': { dashes: 'none', rest: 'text' },
  'write-host': { dashes: 'none', rest: 'text' },
};
