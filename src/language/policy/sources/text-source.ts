import type { SourceName } from './source-name.ts';
import type { StoredSource } from './source-store.ts';

/** The source that a file is from. */
export interface TextSource {
  readonly name: SourceName;
  readonly stored: StoredSource;
}
