import type { JsonObject } from '../src/lib/json.ts';

const TEXT: JsonObject = { type: 'string', minLength: 1 };

function closed(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', additionalProperties: false, required: [...required], properties };
}

/** The JSON Schema of `programs/secrets/tokens.yaml`. */
export function tokenFileSchema(): JsonObject {
  const token = closed({ starts: TEXT, before: { type: 'integer', minimum: 1 }, form: TEXT, owner: TEXT }, [
    'starts',
    'form',
  ]);
  const texts = { type: 'array', items: TEXT };
  const phrase = closed({ with: texts, beside: TEXT, form: TEXT, fits: TEXT, unless: TEXT }, [
    'with',
    'form',
  ]);
  const detector = closed(
    {
      summary: TEXT,
      owner: TEXT,
      tokens: { type: 'array', items: token },
      phrases: { type: 'array', items: phrase },
    },
    ['summary'],
  );
  return closed(
    {
      version: { const: 1 },
      detectors: { type: 'object', additionalProperties: detector },
      owners: texts,
    },
    ['version', 'detectors', 'owners'],
  );
}
