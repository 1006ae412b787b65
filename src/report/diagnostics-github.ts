import { compareDiagnostics, type Diagnostic } from '../model/diagnostic.ts';

/** Problems as workflow commands, which GitHub Actions shows beside the changed lines. One line each. */
export function diagnosticsGithub(diagnostics: readonly Diagnostic[]): string[] {
  return [...diagnostics].sort(compareDiagnostics).map(({ code, severity, position, message, hint }) => {
    const properties = [
      `file=${property(position.file)}`,
      `line=${position.line}`,
      `col=${position.column}`,
      `endColumn=${position.column + position.length}`,
      `title=${property(code)}`,
    ].join(',');
    return `::${severity} ${properties}::${text(hint === undefined ? message : `${message}; ${hint}`)}`;
  });
}

function text(value: string): string {
  return value.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(value: string): string {
  return text(value).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
