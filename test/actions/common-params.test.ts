import { expect, test } from 'bun:test';
import { checkCommonParams, commonPartsOf } from '../../src/language/actions/common-params.ts';
import { renderFrom } from './input.ts';

const render = renderFrom({ tool_name: 'exec' });

test('commonPartsOf is empty and refuses what is unsupported when nothing is given', () => {
  expect(commonPartsOf({}, render)).toEqual({
    messages: [],
    contexts: [],
    suppressOutput: false,
    onUnsupported: 'refuse',
  });
});

test('commonPartsOf fills in templates', () => {
  const params = {
    message: 'Saw {{tool_name}}',
    add_context: '{{tool_name}}!',
    suppress_output: true,
    on_unsupported: 'continue',
  };
  expect(commonPartsOf(params, render)).toEqual({
    messages: ['Saw exec'],
    contexts: ['exec!'],
    suppressOutput: true,
    onUnsupported: 'continue',
  });
});

test('checkCommonParams finds broken templates', () => {
  expect(checkCommonParams({ message: '{{', add_context: 'fine' })).toMatchObject([
    { code: 'template', path: ['message'] },
  ]);
});
