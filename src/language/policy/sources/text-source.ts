import type { SourceName } from './source-name.ts';
import type { StoredSource } from './source-store.ts';

export interface TextSource {
  readonly name: SourceName;
  readonly stored: StoredSource;
}
