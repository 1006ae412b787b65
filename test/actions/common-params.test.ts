import { expect, test } from 'bun:test';
import { besideOf, checkBeside } from '../../src/language/actions/common-params.ts';
import { renderFrom } from './input.ts';

const render = renderFrom({ tool_name: 'exec' });

test('besideOf is empty and refuses what is unsupported when nothing is given', () => {
  expect(besideOf({}, render)).toEqual({
    messages: [],
    contexts: [],
    suppressOutput: false,
    onUnsupported: 'refuse',
  });
});

test('besideOf fills in templates', () => {
  const params = {
    message: 'Saw {{tool_name}}',
    add_context: '{{tool_name}}!',
    suppress_output: true,
    on_unsupported: 'continue',
  };
  expect(besideOf(params, render)).toEqual({
    messages: ['Saw exec'],
    contexts: ['exec!'],
    suppressOutput: true,
    onUnsupported: 'continue',
  });
});

test('checkBeside finds broken templates', () => {
  expect(checkBeside({ message: '{{', add_context: 'fine' })).toMatchObject([
    { code: 'template', path: ['message'] },
  ]);
});
