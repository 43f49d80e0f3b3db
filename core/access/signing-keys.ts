/** A key that signs sessions. Its `id` goes into the header of a token; null: written without one, and so are its tokens. */
export type SigningKeyText = { id: string | null; secret: string };
/** Newest first: the first signs, any verifies. */
export type SigningKeyTexts = readonly [SigningKeyText, ...SigningKeyText[]];

const SECRET_LENGTH_MIN = 32;
const WITH_ID = /^([A-Za-z0-9._-]{1,32}):(.*)$/;

/**
 * Parses one secret, or `id:secret,id:secret`, newest first. Each secret has at least 32 characters and, with an id, neither colon nor
 * comma. The problem is a sentence for the operator and never quotes a secret.
 */
export function parseSigningKeys(text: string): { ok: true; keys: SigningKeyTexts } | { ok: false; problem: string } {
  const entries = text.split(',').map((entry) => WITH_ID.exec(entry.trim()));
  const isRing = entries.some((entry) => (entry?.[2]?.length ?? 0) >= SECRET_LENGTH_MIN);
  if (!isRing) {
    return text.length >= SECRET_LENGTH_MIN
      ? { ok: true, keys: [{ id: null, secret: text }] }
      : { ok: false, problem: `use at least ${SECRET_LENGTH_MIN} characters` };
  }
  const keys: SigningKeyText[] = [];
  for (const [index, entry] of entries.entries()) {
    const [, id, secret = ''] = entry ?? [];
    if (id === undefined || secret.includes(':')) return { ok: false, problem: `key ${index + 1} is not written as id:secret` };
    if (secret.length < SECRET_LENGTH_MIN)
      return { ok: false, problem: `use at least ${SECRET_LENGTH_MIN} characters for the key "${id}"` };
    if (keys.some((known) => known.id === id)) return { ok: false, problem: `the key ID "${id}" is used twice` };
    keys.push({ id, secret });
  }
  const [newest, ...older] = keys;
  return newest ? { ok: true, keys: [newest, ...older] } : { ok: false, problem: 'write a secret' };
}
