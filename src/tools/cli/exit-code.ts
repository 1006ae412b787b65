/** How a command ends. `policy hook` ends with the host's own codes instead. */
export const EXIT_CODE = {
  ok: 0,
  /** Findings, or tests that failed. */
  findings: 1,
  usage: 2,
  invalidPolicy: 3,
  internalError: 4,
} as const;
