import { setTimeout as wait } from 'node:timers/promises';

/**
 * Failures on demand, by a word in the key or at the end of the model's name:
 * - `refused`: the key is refused. `no-funds`: its account has no money. `limited`: too many requests. `overloaded`: the provider is.
 * - `slow`: pieces come one by one with a pause. `stalled`: after the first piece nothing comes until the caller leaves.
 * - `cut`: the connection breaks half-way. `failing`: the stream reports an error half-way.
 * - `declining`: the model declines to answer. `gullible`: it obeys `CALL <tool> <JSON>` wherever it stands.
 */
export type Mishap = (typeof MISHAPS)[number];

const MISHAPS = ['refused', 'no-funds', 'limited', 'overloaded', 'slow', 'stalled', 'cut', 'failing', 'declining', 'gullible'] as const;

const PAUSE_MS = 40;

/** Returns the mishap that a model's name ends with, such as `gpt-4.1-mini-slow`, or else one that the key contains. */
export function mishapOf(model: string, key: string): Mishap | null {
  const isNamed = (text: string, word: Mishap): boolean => new RegExp(`[-_]${word}(?:[-_]|$)`).test(text);
  return MISHAPS.find((word) => model.endsWith(`-${word}`)) ?? MISHAPS.find((word) => isNamed(key, word)) ?? null;
}

/** Returns the model that is meant, without the word of a mishap. */
export function withoutMishap(model: string): string {
  const word = MISHAPS.find((one) => model.endsWith(`-${one}`));
  return word === undefined ? model : model.slice(0, -word.length - 1);
}

/** Sends the pieces of a stream as the mishap has it. `failure` is what a failing stream reports half-way. */
export async function* pace(
  pieces: readonly string[],
  mishap: Mishap | null,
  failure: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const half = Math.ceil(pieces.length / 2);
  for (const [index, piece] of pieces.entries()) {
    if (index === half && mishap === 'failing') {
      yield failure;
      return;
    }
    if (index === half && mishap === 'cut') throw new Error('The stream is cut on demand');
    if (index === 1 && mishap === 'stalled') await leave(signal);
    if (index > 0 && mishap === 'slow') await wait(PAUSE_MS);
    if (signal.aborted) return;
    yield piece;
  }
}

/** Cuts a text into the pieces a model sends: words with the space before them. */
export function piecesOf(text: string): string[] {
  return text.match(/\s*\S+(?:\s+$)?/g) ?? (text === '' ? [] : [text]);
}

function leave(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
