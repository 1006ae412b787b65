import type { RewriteForm } from '../action-spec.ts';
import { CALL_EVENTS } from '../event-groups.ts';
import { checkTemplates } from '../template-params.ts';
import { RewriteError } from './rewrite-error.ts';

export const renameTool = {
  key: 'rename_tool',
  summary: "Call another of the host's tools with these arguments",
  events: CALL_EVENTS,
  schema: { type: 'string', minLength: 1 },
  check: (spec) => checkTemplates(spec, []),
  apply: (spec, subject, { render }) => {
    const tool = typeof spec === 'string' ? render(spec) : '';
    if (tool === '') throw new RewriteError('Cannot rename the tool: the new name is empty');
    return subject['tool'] === tool ? subject : { ...subject, tool };
  },
} satisfies RewriteForm;
