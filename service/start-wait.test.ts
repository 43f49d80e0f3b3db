import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EngineError } from '#adapters/engine/engine-error.ts';
import { StartError } from '#platform/start-error.ts';
import { createStartSteps } from './start-wait.ts';

const away = Object.assign(new Error('the database system is starting up'), { code: '57P03' });
const asStartError = new StartError('The database at db:5432 does not answer (57P03). Check DATABASE_URL.', { cause: away });

/** A step that fails with these errors in turn, then succeeds. */
function failing(...errors: Error[]) {
  const left = [...errors];
  return async (): Promise<string> => {
    const error = left.shift();
    if (error) throw error;
    return 'done';
  };
}
const endless = async (): Promise<never> => {
  throw away;
};

describe('a step of the start', () => {
  it('is repeated while the database or the engine is away, and says so once', async () => {
    const said: string[] = [];
    const step = createStartSteps({ waitSeconds: 60, onWait: (sentence) => said.push(sentence) });
    assert.equal(await step(failing(away, asStartError)), 'done');
    assert.equal(
      await step(failing(new EngineError('failed', 'POST /authentication/sign-in: the engine answered 500.', { status: 500 }))),
      'done',
    );
    assert.deepEqual(said, ['The database does not answer (57P03); retrying for 60 seconds']);
  });

  it('that never succeeds ends with one sentence: of the database, the engine, or the one it had', async () => {
    const step = createStartSteps({ waitSeconds: 0, onWait: () => undefined });
    const refusal = async (error: Error): Promise<string> => {
      const thrown: unknown = await step(() => Promise.reject(error)).catch((reason: unknown) => reason);
      assert.ok(thrown instanceof StartError, String(thrown));
      return thrown.message;
    };
    assert.equal(await refusal(away), 'The database did not answer within 0 seconds (57P03). Check that it runs, then start again.');
    const engine = new EngineError('failed', 'POST /authentication/sign-in: the engine answered 500.');
    assert.match(await refusal(engine), /^The workflow engine did not answer within 0 seconds \(POST .* answered 500\)\. Check/);
    assert.equal(await refusal(asStartError), asStartError.message);
  });

  it('that fails for another reason fails at once', async () => {
    const step = createStartSteps({ waitSeconds: 60, onWait: () => assert.fail('it waited') });
    for (const error of [new TypeError('x'), new StartError('Port 3000 is taken.'), new EngineError('unauthorized', 'no')]) {
      await assert.rejects(step(failing(error)), error);
    }
  });

  it('stops waiting when the process is stopped', async () => {
    const stopping = new AbortController();
    const step = createStartSteps({ waitSeconds: 3_600, onWait: () => stopping.abort(), signal: stopping.signal });
    await assert.rejects(step(endless), StartError);
  });
});
