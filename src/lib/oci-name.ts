/** The name of an artifact in a registry: `oci://HOST/REPOSITORY:TAG`, or `@sha256:…` in place of the tag or behind it. */
export interface OciName {
  /** With its port. */
  readonly host: string;
  readonly repository: string;
  readonly tag: string | undefined;
  /** `sha256:` and 64 hex digits. */
  readonly digest: string | undefined;
}

/** As https://github.com/opencontainers/distribution-spec has it. */
const NAME =
  /^oci:\/\/(?<host>(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?)\/(?<repository>[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*)(?::(?<tag>\w[\w.-]{0,127}))?(?:@(?<digest>sha256:[0-9a-f]{64}))?$/;

/** Undefined for anything else. */
export function parseOciName(text: string): OciName | undefined {
  const { host, repository, tag, digest } = NAME.exec(text.length > 600 ? '' : text)?.groups ?? {};
  return host === undefined || repository === undefined ? undefined : { host, repository, tag, digest };
}
