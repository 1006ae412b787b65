import type { CommandNode, PipelineNode, Statement, SyntaxNode } from 'unbash';

/** Builtins that set the variables they are given as arguments. */
const SETTERS = new Set([
  'read',
  'mapfile',
  'readarray',
  'getopts',
  'export',
  'declare',
  'local',
  'typeset',
  'printf',
  'let',
]);

/**
 * The variables that statements may set, without looking into words. Directory changes count as `PWD`. Used for loops,
 * where a variable may have a value of an earlier round. Iterative: the statements may be nested deeply.
 */
export function assignedNames(statements: readonly Statement[]): ReadonlySet<string> {
  const names = new Set<string>();
  const pending: (Statement | CommandNode | PipelineNode | SyntaxNode)[] = [...statements];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) collect(node, pending, names);
  return names;
}

function collect(node: SyntaxNode, pending: SyntaxNode[], names: Set<string>): void {
  switch (node.type) {
    case 'Statement':
      pending.push(node.command);
      return;
    case 'AndOr':
    case 'Pipeline':
      pending.push(...node.commands);
      return;
    case 'Redirected':
      pending.push(node.command);
      return;
    case 'Command': {
      for (const item of node.prefix)
        if (item.type === 'Assignment' && node.name === undefined) names.add(item.name);
      const name = node.name?.value ?? '';
      if (name === 'cd' || name === 'pushd' || name === 'popd') names.add('PWD');
      if (!SETTERS.has(name)) return;
      for (const item of node.suffix) {
        if (item.type === 'Assignment') names.add(item.name);
        else if (item.type === 'Word' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(item.value)) names.add(item.value);
      }
      return;
    }
    case 'If':
      pending.push(node.clause, node.then, ...node.elif);
      if (node.else !== undefined) pending.push(node.else);
      return;
    case 'Elif':
    case 'While':
      pending.push(node.clause, node.type === 'While' ? node.body : node.then);
      return;
    case 'For':
    case 'Select':
      names.add(node.name.value);
      pending.push(node.body);
      return;
    case 'ArithmeticFor':
    case 'BraceGroup':
      pending.push(node.body);
      return;
    case 'Case':
      for (const item of node.items) pending.push(item.body);
      return;
    case 'CompoundList':
      pending.push(...node.commands);
      return;
    default:
      return;
  }
}
