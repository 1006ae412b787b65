import { compareDiagnostics, type Diagnostic } from '../../../model/diagnostic.ts';
import { githubCommand } from './github-command.ts';

/** Problems as workflow commands, which GitHub Actions shows beside the changed lines. One line each. */
export function diagnosticsGithub(diagnostics: readonly Diagnostic[]): string[] {
  return [...diagnostics].sort(compareDiagnostics).map(({ code, severity, position, message, hint }) =>
    githubCommand({
      severity: severity === 'note' ? 'notice' : severity,
      position,
      title: code,
      message: hint === undefined ? message : `${message}; ${hint}`,
    }),
  );
}
