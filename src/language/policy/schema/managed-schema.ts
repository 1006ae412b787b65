import { type JsonObject, own } from '../../../lib/json.ts';
import { CLOSED, LIST, TEXT } from '../../../lib/schema-parts.ts';
import { BUNDLE_URL_TEXT, FILE_NAME_TEXT, PUBLIC_KEY_TEXT, SPAN_TEXT } from './value-shapes.ts';

/** The fate of calls when the bundle is older than it may be. */
export const ON_STALE = ['refuse', 'warn'] as const;
export type OnStale = (typeof ON_STALE)[number];

/** The choice of a section `managed`. */
export function onStaleOf(managed: JsonObject): OnStale {
  return ON_STALE.find((known) => known === own(managed, 'on_stale')) ?? 'refuse';
}

const KEYS: JsonObject = { ...LIST, items: PUBLIC_KEY_TEXT };

export function managedSchema(): JsonObject {
  return {
    description: 'A signed bundle that policy sync fetches. Only in files of the organisation',
    ...CLOSED,
    required: ['url'],
    anyOf: [{ required: ['keys'] }, { required: ['identities'] }],
    properties: {
      url: {
        description: 'Where the bundle is: https, oci, a file, or http on this machine',
        ...BUNDLE_URL_TEXT,
      },
      name: { description: 'What the bundle must be called', ...TEXT },
      keys: { description: 'Public keys that may sign it: NAME.pub, or the line in its middle', ...KEYS },
      identities: {
        description: 'Who may sign it through Sigstore, without a key',
        ...LIST,
        items: {
          ...CLOSED,
          required: ['subject', 'issuer'],
          properties: {
            subject: {
              description: 'The workflow or email address of the certificate; * for any characters but /',
              ...TEXT,
            },
            issuer: { description: 'The URL of the OpenID Connect provider that vouches for it', ...TEXT },
          },
        },
      },
      trusted_root: {
        description: 'A file in the same folder with the trusted root of your own Sigstore',
        ...FILE_NAME_TEXT,
      },
      withdrawn: { description: 'Public keys that no longer may', ...KEYS },
      every: { description: 'How often it is fetched; 1h unless given', ...SPAN_TEXT },
      max_age: {
        description: 'How long ago it may have been fetched last; any time unless given',
        ...SPAN_TEXT,
      },
      on_stale: {
        description: 'What becomes of calls when it is older, or has expired; refuse unless given',
        enum: ON_STALE,
      },
    },
  };
}
