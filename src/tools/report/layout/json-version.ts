/** Version of the shapes that `--json` prints; grows when a key changes its meaning or goes away. */
export const JSON_VERSION = 1;
