import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DueStep } from '../interpreter.ts';
import { DEPTH_MAX } from '../json.ts';
import { budgetsOf, createRooms } from '../memory.ts';
import type { Effects } from './perform.ts';
import { performStep } from './perform.ts';

const KEY = 'sk-needle-in-a-haystack';

/** The output of a step whose target returns `answer`. */
async function outputOf(answer: unknown): Promise<unknown> {
  const { signal } = new AbortController();
  const action: DueStep['action'] = {
    name: 'step_1',
    displayName: 'Ask',
    valid: true,
    type: 'CODE',
    settings: {
      sourceCode: { code: '', packageJson: '{}' },
      input: { key: '{{connections.p_key.props.apiKey}}' },
      sampleData: {},
      errorHandlingOptions: {},
    },
  };
  const effects = {
    connections: () => Promise.resolve(new Map([['p_key', { type: 'CUSTOM_AUTH', props: { apiKey: KEY } }]])),
    code: { run: () => Promise.resolve(answer) },
  } as unknown as Effects; // the two that a code step uses
  const room = createRooms(budgetsOf()).forStep('k', signal);
  const due = { action, path: 'step_1', scope: new Map() };
  return (await performStep({ due, projectId: 'p', fairnessKey: 'k', signal, room, onReply: () => undefined }, effects)).output;
}

test('a key that a target returns is covered at the deepest level, and each part is read once', async () => {
  let visits = 0;
  const nested = (text: string): unknown => {
    let value: unknown = text;
    for (let depth = 0; depth < DEPTH_MAX - 1; depth += 1) {
      const inner = value;
      value =
        depth % 2 === 0
          ? [inner]
          : Object.defineProperty({}, 'a', {
              enumerable: true,
              get: () => {
                visits += 1;
                if (visits > DEPTH_MAX) throw new Error('read more than once');
                return inner;
              },
            });
    }
    return value;
  };
  const output = await outputOf(nested(KEY));
  visits = 0;
  assert.equal(JSON.stringify(output), JSON.stringify(nested('**REDACTED**')));
});

test('what holds no key is not copied', async () => {
  const plain = { a: [1, 'b', null] };
  const output = (await outputOf({ plain, with: [plain, `Bearer ${KEY}`] })) as { plain: unknown; with: unknown[] }; // the answer, covered
  assert.equal(output.plain, plain);
  assert.deepEqual(output.with, [plain, 'Bearer **REDACTED**']);
  assert.equal(await outputOf(plain), plain);
});
