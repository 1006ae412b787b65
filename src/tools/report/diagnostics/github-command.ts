import type { Position } from '../../../model/diagnostic.ts';

/** A line that GitHub Actions shows beside the code at a position. */
export interface GithubCommand {
  readonly severity: 'error' | 'warning' | 'notice';
  readonly position: Position;
  readonly title: string;
  readonly message: string;
}

/** A workflow command, without its line break. */
export function githubCommand({ severity, position, title, message }: GithubCommand): string {
  const properties = [
    `file=${property(position.file)}`,
    `line=${position.line}`,
    `col=${position.column}`,
    `endColumn=${position.column + position.length}`,
    `title=${property(title)}`,
  ].join(',');
  return `::${severity} ${properties}::${text(message)}`;
}

function text(value: string): string {
  return value.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(value: string): string {
  return text(value).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
